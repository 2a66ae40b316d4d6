# Data for a socket from another host: the network, by the peer's address and port.
0 window 0 10; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80
0 alive 10 client
0 run 10
1 send 10 77 70
2 block 10 sys=0 obj=70
8 ready 77 70
8 irq net 77 10
8 run 10
10 block 10
