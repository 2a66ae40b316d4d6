# One sample stands for five periods at most, here 25 ms of 41: had there been more such time, there would be more samples.
# view: chains
0 window 0 82
0 ustack 1 hash,main; 0 ustack 2 read,main
0 alive 10 a; 0 run 10
1 block 10 u=2; 2 irq hard 0 10; 2 run 10; 3 block 10 u=2; 4 irq hard 0 10; 4 run 10
5 block 10 u=2; 6 irq hard 0 10; 6 run 10; 7 block 10 u=2; 8 irq hard 0 10; 8 run 10
9 block 10 u=2; 10 irq hard 0 10; 10 run 10; 11 block 10 u=2; 12 irq hard 0 10; 12 run 10
13 block 10 u=2; 14 irq hard 0 10; 14 run 10; 15 block 10 u=2; 16 irq hard 0 10; 16 run 10
17 block 10 u=2; 18 irq hard 0 10; 18 run 10; 19 block 10 u=2; 20 irq hard 0 10; 20 run 10
21 block 10 u=2; 22 irq hard 0 10; 22 run 10; 23 block 10 u=2; 24 irq hard 0 10; 24 run 10
25 block 10 u=2; 26 irq hard 0 10; 26 run 10; 27 block 10 u=2; 28 irq hard 0 10; 28 run 10
29 block 10 u=2; 30 irq hard 0 10; 30 run 10; 31 block 10 u=2; 32 irq hard 0 10; 32 run 10
33 block 10 u=2; 34 irq hard 0 10; 34 run 10; 35 block 10 u=2; 36 irq hard 0 10; 36 run 10
37 block 10 u=2; 38 irq hard 0 10; 38 run 10; 39 block 10 u=2; 40 irq hard 0 10; 40 run 10
40.5 sample 10 u=1; 41 block 10 u=2; 42 irq hard 0 10; 42 run 10
43 block 10 u=2; 44 irq hard 0 10; 44 run 10; 45 block 10 u=2; 46 irq hard 0 10; 46 run 10
47 block 10 u=2; 48 irq hard 0 10; 48 run 10; 49 block 10 u=2; 50 irq hard 0 10; 50 run 10
51 block 10 u=2; 52 irq hard 0 10; 52 run 10; 53 block 10 u=2; 54 irq hard 0 10; 54 run 10
55 block 10 u=2; 56 irq hard 0 10; 56 run 10; 57 block 10 u=2; 58 irq hard 0 10; 58 run 10
59 block 10 u=2; 60 irq hard 0 10; 60 run 10; 61 block 10 u=2; 62 irq hard 0 10; 62 run 10
63 block 10 u=2; 64 irq hard 0 10; 64 run 10; 65 block 10 u=2; 66 irq hard 0 10; 66 run 10
67 block 10 u=2; 68 irq hard 0 10; 68 run 10; 69 block 10 u=2; 70 irq hard 0 10; 70 run 10
71 block 10 u=2; 72 irq hard 0 10; 72 run 10; 73 block 10 u=2; 74 irq hard 0 10; 74 run 10
75 block 10 u=2; 76 irq hard 0 10; 76 run 10; 77 block 10 u=2; 78 irq hard 0 10; 78 run 10
79 block 10 u=2; 80 irq hard 0 10; 80 run 10; 81 block 10 u=2; 82 irq hard 0 10
