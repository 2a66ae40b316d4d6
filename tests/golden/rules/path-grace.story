# view: paths
# Who began to work a moment before the sleep is a child of it all the same: 80 µs, but not 150 µs.
0 window 0 20
0 alive 10 A; 0 alive 20 child; 0 alive 30 other
0 seed 20; 0 seed 30; 0 run 10 cpu=0
1 wake 10 20; 1 run 20 cpu=1; 1.08 block 10 cpu=0
7 wake 20 10; 7 run 10 cpu=0; 7.5 block 20 cpu=1
9 wake 10 30; 9 run 30 cpu=2; 9.15 block 10 cpu=0
17 wake 30 10; 17 run 10 cpu=0; 17.5 block 30 cpu=2
20 block 10 cpu=0
