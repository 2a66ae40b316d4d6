# Losses before and after the span do not count: all that is reported began after the one and ended before the other.
0 window 10 20 0 end=40
0 alive 10 a; 0 alive 20 b; 0 seed 20
4 lost 2 cnt=100
5 run 10 cpu=0; 8 run 20 cpu=1
12 block 10
16 wake 20 10; 16 run 10 cpu=0
24 block 10; 26 block 20
35 lost 30 cnt=1000 kinds=6
40 run 10 cpu=0
