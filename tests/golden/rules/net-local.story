# Data from a thread of this host: that thread until it sent, then the packet on its way.
0 window 0 10; 0 socket 70 77 127.0.0.1:5000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:5000
0 alive 10 client; 0 alive 20 server
0 run 10; 0 seed 20
1 send 10 77 70
1 irq net 78 20
2 to 10 20 sys=0 obj=70
6 send 20 78 71
7 block 20
8 irq net 77 10 cpu=1
8 run 10
10 block 10
