# Who polls calls the worker again 20 microseconds after it noticed that it was done: it was done all the
# same. That the worker, of the same process, waited for that call is no second loss of the same time.
0 window 0 20; 0 ustack 1 poll,resolve,main; 0 ustack 2 wait,work
0 alive 10 a; 0 alive 11 b 10; 0 seed 11 sys=202 futex u=2
0 run 10
1 wake 10 11; 1 run 11 cpu=1; 1 block 10 sys=7 timeout u=1; 4 irq timer 0 10; 4 run 10; 4.02 block 10 sys=7 timeout u=1
5 block 11 sys=202 futex u=2; 9 irq timer 0 10; 9 run 10
9.02 wake 10 11; 9.02 run 11 cpu=1; 9.03 block 10 sys=7 timeout u=1; 12 irq timer 0 10; 12 run 10; 12.02 block 10 sys=7 timeout u=1
13 block 11 sys=202 futex u=2; 17 irq timer 0 10; 17 run 10
17.02 wake 10 11; 17.02 run 11 cpu=1
20 block 10; 20 block 11
