# A process that the poller did not make is no worker of its, though woken by it. It goes to sleep for reasons
# of its own: during a loop of few sleeps, and at the end of a long one, when it slept in between, too.
0 window 0 40; 0 ustack 1 poll,wait_latch,main
0 alive 10 backend; 0 alive 20 writer; 0 seed 20
0 run 10
1 wake 10 20; 1 run 20 cpu=1
1 block 10 sys=7 timeout u=1; 3 irq timer 0 10; 3 run 10; 3.02 block 10 sys=7 timeout u=1
8 block 20 sys=7
11 irq timer 0 10; 11 run 10
15 wake 10 20; 15 run 20 cpu=1
15 block 10 sys=7 timeout u=1; 17 irq timer 0 10; 17 run 10; 17.02 block 10 sys=7 timeout u=1
19 irq timer 0 10; 19 run 10; 19.02 block 10 sys=7 timeout u=1
20 block 20 sys=35; 20.5 irq timer 0 20; 20.5 run 20
21 irq timer 0 10; 21 run 10; 21.02 block 10 sys=7 timeout u=1
22 block 20 sys=7
23 irq timer 0 10; 23 run 10
40 block 10
