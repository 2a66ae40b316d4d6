# A process waits for the result of its child, which has connected to it: the wait until 9 is the child's work. The data of another
# program on such a connection is a request, so the wait from 11 to 18 is idle.
0 window 0 20; 0 target 10
0 alive 10 app; 0 alive 30 client
0 socket 70 77 127.0.0.1:80 127.0.0.1:5000 accepted; 0 socket 71 78 127.0.0.1:5000 127.0.0.1:80
0 socket 72 79 127.0.0.1:80 127.0.0.1:6000 accepted; 0 socket 73 80 127.0.0.1:6000 127.0.0.1:80
0 run 10; 0.5 fork 10 20; 1 block 10 sys=0 obj=70; 1 run 20 cpu=1
9 send 20 78 71; 9 ready 77 70; 9 irq net 77 10; 9 run 10; 9 block 20 cpu=1 sys=0; 10 send 10 77 70
11 block 10 sys=0 obj=72; 11 run 30 cpu=1
18 send 30 80 73; 18 ready 79 72; 18 irq net 79 10; 18 run 10; 19 send 10 79 72; 19 block 30 cpu=1 sys=0
20 block 10
