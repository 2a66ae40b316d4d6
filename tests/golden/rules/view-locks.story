# view: locks
# Futexes by address and process: who waited, who woke. One whose waiters also wake is a lock, handed on.
0 window 0 20
0 alive 10 a; 0 alive 11 t1 10; 0 alive 12 t2 10
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 12 cpu=2
1 block 10 sys=202 futex obj=0x7000; 2 block 11 sys=202 futex obj=0x7000
6 wake 12 10; 6 run 10 cpu=0
8 wake 10 11; 8 run 11 cpu=1
9 block 12 sys=202 futex obj=0x9000
12 wake 11 12; 12 run 12 cpu=2
13 block 10 sys=202 futex obj=0x7000
15 wake 11 10; 15 run 10 cpu=0
20 block 10; 20 block 11; 20 block 12
