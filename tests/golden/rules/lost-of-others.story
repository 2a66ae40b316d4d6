# A gap ends where the next record makes sense: a is found to have left the CPU.
0 window 0 10
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0
6 lost 5
7 block 20 cpu=0               # b had come in meanwhile
8 wake 20 10 cpu=0
9 run 10 cpu=0
10 block 10
