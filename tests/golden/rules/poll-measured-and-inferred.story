# Two loops at one place for one worker: the worker ended the first, which is measured; a timer ended the
# second, so that it is inferred whom it was for. What is inferred does not take the other one along.
0 window 0 50; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 11 b 10; 0 seed 11
0 run 10
1 wake 10 11; 1 run 11 cpu=1
1 block 10 sys=7 timeout u=1; 11 irq timer 0 10; 11 run 10; 11.02 block 10 sys=7 timeout u=1
20 wake 11 10; 20 run 10; 20.5 block 11 sys=202 futex
25 wake 10 11; 25 run 11 cpu=1
25 block 10 sys=7 timeout u=1; 35 irq timer 0 10; 35 run 10; 35.02 block 10 sys=7 timeout u=1
37 block 11 sys=202 futex
45 irq timer 0 10; 45 run 10
46 wake 10 11; 46 run 11 cpu=1
50 block 10; 50 block 11
