# A part of a run takes the samples in it, or the nearest.
0 window 0 12
0 ustack 1 first,main; 0 ustack 2 second,main
0 alive 10 a; 0 alive 20 b
0 run 20 cpu=1; 0 run 10 cpu=0
2 sample 20 u=1; 9 sample 20 u=2
1 block 10; 4 wake 20 10; 4 run 10
5 block 10; 7 wake 20 10; 7 run 10
12 block 10
