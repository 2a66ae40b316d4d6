# Samples stand for the runs of their own time: what lies at the beginning for the first, what lies at the end for the last.
0 window 0 14
0 ustack 1 early,main; 0 ustack 2 late,main
0 alive 10 a; 0 run 10
0.5 sample 10 u=1; 1 block 10; 2 irq hard 0 10; 2 run 10
3 block 10; 4 irq hard 0 10; 4 run 10
5 block 10; 6 irq hard 0 10; 6 run 10
7 block 10; 8 irq hard 0 10; 8 run 10
9 block 10; 10 irq hard 0 10; 10 run 10
11 block 10; 12 irq hard 0 10; 12 run 10
12.5 sample 10 u=2; 13 block 10; 14 irq hard 0 10
