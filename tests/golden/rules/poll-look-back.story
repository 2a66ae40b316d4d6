# A call lies 256 of the caller's spans back at most: 200 spans after it the worker is found, 300 spans
# after it the other one is not.
0 window 0 30; 0 ustack 1 poll,resolve,main
0 alive 10 a; 0 alive 11 found 10; 0 alive 12 not_found 10; 0 seed 11; 0 seed 12
0 run 10
1 wake 10 11; 1 run 11 cpu=1; 1.5 exec 10 1..200; 1.5 name 10 a
2 block 10 sys=7 timeout u=1; 7 irq timer 0 10; 7 run 10; 7.02 block 10 sys=7 timeout u=1
8 block 11 sys=202 futex
12 irq timer 0 10; 12 run 10
13 wake 10 12; 13 run 12 cpu=1; 13.5 exec 10 1..300; 13.5 name 10 a
14 block 10 sys=7 timeout u=1; 19 irq timer 0 10; 19 run 10; 19.02 block 10 sys=7 timeout u=1
20 block 12 sys=202 futex
24 irq timer 0 10; 24 run 10
30 block 10
