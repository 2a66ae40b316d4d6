# Timeouts at other places, shorter ones, and waits without a timeout tell nothing of a wait whose end was not
# recorded.
0 window 0 200
0 ustack 1 poll,main; 0 ustack 2 poll,other
0 alive 10 a; 0 run 10
1 block 10 sys=7 timeout u=1; 11 irq timer 0 10; 11 run 10
12 block 10 sys=7 timeout u=1; 22 irq timer 0 10; 22 run 10
23 block 10 sys=7 timeout u=1; 33 irq timer 0 10; 33 run 10
34 block 10 sys=7 timeout u=1; 44 irq timer 0 10; 44 run 10
45 block 10 sys=7 timeout u=1; 55 irq timer 0 10; 55 run 10
60 block 10 sys=7 timeout u=2; 70 run 10
71 block 10 sys=7 timeout u=1; 91 run 10
92 block 10 sys=7 u=1; 102 run 10
200 block 10
