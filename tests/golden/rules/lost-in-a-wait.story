# While records of all kinds were lost nobody knows what a thread did, whatever state it seemed to be in.
0 window 0 12
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0
2 block 10
6 lost 4
8 run 20 cpu=1; 9 wake 20 10
9 run 10 cpu=0
12 block 10
