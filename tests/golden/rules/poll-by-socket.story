# It had called the thread that it polls for over a socket: its own datagram ended the other's wait.
# A glance at which it lost the CPU for a while is still one.
0 window 0 24; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 20 worker 10; 0 alive 30 hog
0 socket 70 77 127.0.0.1:5000 127.0.0.1:6000 udp; 0 socket 71 78 127.0.0.1:6000 127.0.0.1:5000 udp
0 seed 20 obj=71; 0 run 10
1 send 10 77 70; 1.01 ready 78 71; 1.01 irq net 78 20; 1.02 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.02 preempt 10 30; 9 to 30 10; 9.02 block 10 sys=7 timeout u=1
14 irq timer 0 10; 14 run 10; 14.02 block 10 sys=7 timeout u=1
18 block 20 obj=71
19 irq timer 0 10; 19 run 10
24 block 10
