# Of runs too short for a sample of their own the samples of the thread tell: each stands for as much as its own run falls short of the
# mean. Those of a long run are enough for it, and stand for nothing else. Inferred.
0 window 0 60
0 ustack 1 grind,main; 0 ustack 2 hash,main; 0 ustack 3 read,main
0 alive 10 a; 0 run 10
2 sample 10 u=1; 7 sample 10 u=1; 12 sample 10 u=1; 17 sample 10 u=1
22 sample 10 u=1; 27 sample 10 u=1; 32 sample 10 u=1; 37 sample 10 u=1
40 block 10 u=3; 41 irq hard 0 10; 41 run 10     # 40 ms, 8 samples: 5 ms each
42 block 10 u=3; 43 irq hard 0 10; 43 run 10
43.5 sample 10 u=2                               # one sample in five runs of 1 ms: 5 ms, too
44 block 10 u=3; 45 irq hard 0 10; 45 run 10
46 block 10 u=3; 47 irq hard 0 10; 47 run 10
48 block 10 u=3; 49 irq hard 0 10; 49 run 10
50 block 10 u=3; 60 irq hard 0 10
