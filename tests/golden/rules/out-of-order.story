# Records come as batches, one CPU after the other: they are put in order by their times.
0 window 0 10
0 alive 10 a; 0 alive 20 b
8 run 10 cpu=0
0 run 10 cpu=0
10 block 10 cpu=0
2 block 10 sys=0 cpu=0
7 wake 20 10 cpu=1
0 run 20 cpu=1
