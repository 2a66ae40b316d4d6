# Waits on a condition variable with a timeout are for nobody if nobody wakes them: the thread that it had
# woken and that was done would have done so.
0 window 0 20; 0 ustack 1 pthread_cond_timedwait,tick,main
0 alive 10 a; 0 alive 11 b 10; 0 seed 11
0 run 10
1 wake 10 11; 1 run 11 cpu=1
1 block 10 sys=202 futex timeout u=1; 3 irq timer 0 10; 3 run 10; 3.02 block 10 sys=202 futex timeout u=1
8 block 11 sys=202 futex
11 irq timer 0 10; 11 run 10
15 wake 10 11; 15 run 11 cpu=1
20 block 10; 20 block 11
