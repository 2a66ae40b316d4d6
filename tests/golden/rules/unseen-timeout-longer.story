# Timeouts that lasted much longer are no evidence: the wait from 60 ended before the timeout of 10 ms, so something else
# ended it. The wait from 70 is long enough.
0 window 0 90
0 ustack 1 poll,main
0 alive 10 a; 0 run 10
1 block 10 sys=7 timeout u=1; 11 irq timer 0 10; 11 run 10
12 block 10 sys=7 timeout u=1; 22 irq timer 0 10; 22 run 10
23 block 10 sys=7 timeout u=1; 33 irq timer 0 10; 33 run 10
34 block 10 sys=7 timeout u=1; 44 irq timer 0 10; 44 run 10
45 block 10 sys=7 timeout u=1; 55 irq timer 0 10; 55 run 10
60 block 10 sys=7 timeout u=1; 69 run 10
70 block 10 sys=7 timeout u=1; 79.2 run 10
90 block 10
