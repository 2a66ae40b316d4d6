# The only requests are those of rspctl to rspd: the recording is about a program without requests.
0 window 0 100; 0 target 10; 0 alive 10 work; 0 alive 20 rspd; 0 alive 30 rspctl
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0.1 run 30 cpu=1; 0.2 block 30 sys=232 cpu=1; 0.1 run 20; 0.2 block 20 sys=232
10 irq timer 0 30 cpu=1; 10 run 30 cpu=1; 10.1 send 30 67 61 bytes=4 cpu=1; 10.1 ready 68 62 cpu=1; 10.1 irq net 68 20 cpu=1; 10.2 block 30 sys=232 cpu=1
10.2 run 20; 12 send 20 68 62 bytes=4; 12 ready 67 61; 12 irq net 67 30; 12.1 block 20 sys=232; 12.1 run 30 cpu=1; 12.2 block 30 sys=232 cpu=1
50 run 10; 90 block 10 sys=35 sleep
