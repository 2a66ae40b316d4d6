# Same ports, other addresses: a packet of another host is never credited to a local thread.
0 window 0 10; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80; 0 socket 71 78 10.0.0.9:80 10.0.0.8:5000
0 alive 10 client; 0 alive 20 bystander
0 run 10; 0 ready 77 70
2 to 10 20 sys=0 obj=70
4 send 20 78 71
8 irq net 77 10
8 to 20 10
10 block 10
