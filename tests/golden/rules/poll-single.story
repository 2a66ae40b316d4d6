# A single timeout is for nobody, even if the thread that it had woken was done before it expired.
0 window 0 20; 0 ustack 1 poll,pause,main
0 alive 10 a; 0 alive 11 b 10; 0 seed 11
0 run 10
1 wake 10 11; 1 run 11 cpu=1
1 block 10 sys=7 timeout u=1
8 block 11 sys=202 futex
11 irq timer 0 10; 11 run 10
15 wake 10 11; 15 run 11 cpu=1
20 block 10; 20 block 11
