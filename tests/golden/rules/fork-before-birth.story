# Before a waker was born, its parent's spans explain the time: that is who was to fork it.
0 window 0 12
0 alive 10 make; 0 alive 20 sh
0 run 10 cpu=0; 0 run 20 cpu=1
1 block 10 sys=61              # wait4
6 fork 20 21; 6 new 20 21 cpu=1
7 run 21 cpu=2
7 exec 21 cc
11 wake 21 10
11 run 10 cpu=0
12 block 10
