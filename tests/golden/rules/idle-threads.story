# Of several threads, one that sleeps until a timeout is idle if nobody waits for it; one that another waits
# for meanwhile is not. Idle threads come last.
0 window 0 20; 0 ustack 1 poll,tick,main; 0 ustack 2 poll,serve,main
0 alive 10 app; 0 alive 11 ticker 10; 0 alive 12 worker 10; 0 seed 11; 0 seed 12
0 run 10; 0.1 run 11 cpu=1
0.2 block 11 sys=7 timeout u=1; 0.3 wake 10 12; 0.4 run 12 cpu=1
0.5 block 12 sys=7 timeout u=2
1 block 10 sys=202 futex
12 irq timer 0 12; 12 run 12 cpu=1
13 wake 12 10; 13 run 10; 13.1 block 12 sys=202 futex
18 irq timer 0 11; 18 run 11 cpu=1; 18.1 block 11 sys=7 timeout u=1
20 block 10
