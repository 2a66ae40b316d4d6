# Several wake one that waits: the first one is the cause.
0 window 0 10
0 alive 10 a; 0 alive 20 first; 0 alive 30 second
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
2 block 10
6 wake 20 10
7 wake 30 10
8 run 10 cpu=0
10 block 10
