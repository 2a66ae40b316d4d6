# Late polls at one place are one finding, whoever was done, and however: b went to sleep, c exited.
0 window 0 110; 0 ustack 1 poll,resolve,main
0 alive 10 a; 0 alive 11 b 10; 0 seed 11
0 run 10
1 wake 10 11; 1 run 11 cpu=1
1 block 10 sys=7 timeout u=1; 10 irq timer 0 10; 10 run 10; 10.02 block 10 sys=7 timeout u=1
11 block 11 sys=202 futex
51 irq timer 0 10; 51 run 10
52 fork 10 12; 52 new 10 12; 52 exec 12 c; 52 run 12 cpu=1
52 block 10 sys=7 timeout u=1; 61 irq timer 0 10; 61 run 10; 61.02 block 10 sys=7 timeout u=1
62 exit 12; 62 dead 12
102 irq timer 0 10; 102 run 10
110 block 10
