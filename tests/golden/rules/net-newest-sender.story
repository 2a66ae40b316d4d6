# Of several that sent to a socket the newest one counts.
0 window 0 10; 0 socket 70 77 10.0.0.1:5000 10.0.0.1:80; 0 socket 71 78 10.0.0.1:80 10.0.0.1:5000
0 alive 10 client; 0 alive 20 worker1; 0 alive 30 worker2
0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2; 0 ready 77 70
1 block 10 sys=0 obj=70
2 send 20 78 71
7 send 30 78 71
7 irq net 77 10
7 run 10
10 block 10
