# Three threads that queue for one lock and hand it on to each other are a convoy, not three waits.
0 window 0 22
0 alive 10 a; 0 alive 11 t1 10; 0 alive 12 t2 10
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 12 cpu=2
1 block 10 sys=202 futex obj=0x7000; 1 block 11 sys=202 futex obj=0x7000
5 wake 12 10; 5 run 10 cpu=0
6 block 12 sys=202 futex obj=0x7000
9 wake 10 11; 9 run 11 cpu=1
10 block 10 sys=202 futex obj=0x7000
13 wake 11 12; 13 run 12 cpu=2
14 block 11 sys=202 futex obj=0x7000
17 wake 12 10; 17 run 10 cpu=0
21 wake 10 11; 21 run 11 cpu=1
22 block 10; 22 block 11; 22 block 12
