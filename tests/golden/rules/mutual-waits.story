# Two that wait for each other at the same instant: neither is entered twice, what is left is other_path.
0 window 0 10
0 alive 10 A; 0 alive 20 B; 0 alive 30 C; 0 alive 31 D
0 run 10 cpu=0; 0 run 20 cpu=1
2 block 10; 2 block 20
8 run 30 cpu=0; 8 run 31 cpu=1
8 wake 20 10 cpu=0; 8 wake 10 20 cpu=1
8 to 30 10; 8 to 31 20
10 block 10
