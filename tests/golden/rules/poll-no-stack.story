# A timed wait for a lock goes on after a timeout, until the holder gives the lock back: one wait for the holder. Of the
# first sleep the recorder has no stack; the lock says that it is the same place, though its condition variable has
# another futex by then. So it is with polls, from 30 on. Another call without an object and without a stack may be at
# any place: the second one, from 54 on, says nothing of the first.
0 window 0 80; 0 ustack 1 futex,timed_wait,acquire_lock,main; 0 ustack 2 poll,await_answer,main; 0 ustack 3 sleep,main
0 alive 10 app; 0 alive 20 holder; 0 seed 20
0 run 10; 0 run 20 cpu=1
1 block 20 sys=230 sleep u=3 cpu=1
2 block 10 sys=202 futex timeout obj=4096; 12 irq timer 0 10; 12 run 10; 12.02 block 10 sys=202 futex timeout obj=4100 u=1
19 irq timer 0 20 cpu=1; 19 run 20 cpu=1; 20 wake 20 10 cpu=1; 20 run 10; 21 block 20 sys=230 sleep u=3 cpu=1
30 block 10 sys=7 timeout; 40 irq timer 0 10; 40 run 10; 40.02 block 10 sys=7 timeout u=2
49 irq timer 0 20 cpu=1; 49 run 20 cpu=1; 50 wake 20 10 cpu=1; 50 run 10
50.1 block 20 sys=230 sleep u=3 cpu=1
54 block 10 sys=45 timeout; 64 irq timer 0 10; 64 run 10; 64.02 block 10 sys=45 timeout u=2
69 irq timer 0 20 cpu=1; 69 run 20 cpu=1; 70 wake 20 10 cpu=1; 70 run 10
80 block 10; 80 block 20 cpu=1
