# A run's time is shared equally by the samples taken in it. Samples of the thread tell of one without: inferred.
0 window 0 12
0 ustack 1 parse,main; 0 ustack 2 emit,main; 0 ustack 3 write,main@libc.so.6
0 alive 10 a
0 run 10
1 sample 10 u=1; 2 sample 10 u=1; 5 sample 10 u=2
6 block 10 u=3; 8 irq hard 0 10; 8 run 10
12 block 10 u=3
