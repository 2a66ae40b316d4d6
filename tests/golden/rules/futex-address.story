# A lock of the process of interest is told by its address, one of another process is not.
0 window 0 12
0 alive 10 a; 0 alive 11 t 10; 0 alive 20 other; 0 alive 21 its_t 20
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 20 cpu=2; 0 run 21 cpu=3
1 block 10 sys=202 futex obj=0x7000
5 wake 11 10; 5 run 10 cpu=0
6 block 20 sys=202 futex obj=0x7000
7 block 10 sys=0
9 wake 21 20; 9 run 20 cpu=2
10 wake 20 10; 10 run 10 cpu=0
12 block 10; 12 block 11
