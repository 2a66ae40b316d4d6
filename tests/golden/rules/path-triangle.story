# view: paths
# A calls B, B calls C, C wakes A. C slept for B, and only that part of it counts in which A waited: the
# earlier part, from 4 to 8, is cut. B was at work before A slept, and has a path of its own.
0 window 0 20
0 alive 10 A; 0 alive 20 B; 0 alive 30 C
0 seed 20; 0 run 30 cpu=2; 0 run 10 cpu=0
3 irq hard 0 20; 3 run 20 cpu=1; 4 block 30 cpu=2     # C calls B, while A is at work
6 wake 10 20; 8 block 10 cpu=0
11 wake 20 30; 11 run 30 cpu=2; 12 block 20 cpu=1
15 wake 30 10; 15 run 10 cpu=0; 16 block 30 cpu=2
20 block 10 cpu=0
