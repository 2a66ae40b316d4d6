# A wait that was found when recording began, and ended later: at least so long.
0 window 0 10
1 alive 10 a; 1 seed 10 sys=7
5 irq hard 0 10; 5 run 10
10 block 10
