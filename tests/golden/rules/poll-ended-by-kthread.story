# A kernel thread that nobody but an interrupt gave anything to do ends a poll: the sleeps before, which timers ended,
# were not for it. Only the last one waited for it.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 kthread 17 ksoftirqd/0; 0 seed 17 kthread state=1; 0 run 10 cpu=0
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.08 block 10 sys=7 timeout u=1
10.5 wake 0 17 cpu=0; 10.6 run 17 cpu=0
11 wake 17 10; 11 to 17 10 kthread
20 block 10
