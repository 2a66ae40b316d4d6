# view: paths
# A wakes B, and sleeps until B wakes it: a call, and B is a child on A's path. So is C, whom B calls.
# What B did before and after is not on it.
0 window 0 20
0 alive 10 A; 0 alive 20 B; 0 alive 30 C
0 seed 20; 0 seed 30; 0 run 10 cpu=0
1 irq hard 0 20; 1 run 20 cpu=1; 2 block 20      # for others
4 wake 10 20; 4 run 20 cpu=1; 4.05 block 10 cpu=0
7 wake 20 30; 7 run 30 cpu=2; 7.05 block 20 cpu=1
12 wake 30 20; 12 run 20 cpu=1; 12.05 block 30 cpu=2
15 wake 20 10; 15 run 10 cpu=0; 18 block 20 cpu=1
20 block 10 cpu=0
