# A thread that another one woke, and that then ended soon without waking a third thread, had no job: it was only told to
# end. So thread 12 was idle until 80, even between its timeouts, and thread 13 until 80.1. Thread 14 waits for a lock of
# thread 10 and wakes the next one in the queue, 15, before it ends, so it was not idle; 15 works for a while.
0 window 0 100
0 ustack 1 pselect,helper,clone; 0 ustack 2 futex,take_job,clone; 0 ustack 3 futex,lock,clone; 0 ustack 4 nanosleep,main
0 ustack 5 compute,main; 0 ustack 6 work,clone
0 alive 10 app; 0 alive 12 helper 10; 0 alive 13 worker 10; 0 alive 14 locker 10; 0 alive 15 locker 10; 0 seed 10
0 run 12; 0.01 block 12 sys=270 timeout u=1; 0.02 run 13; 0.03 block 13 sys=202 futex obj=4096 u=2
0.04 run 14; 0.05 block 14 sys=202 futex obj=8192 u=3; 0.06 run 15; 0.07 block 15 sys=202 futex obj=8192 u=3
40 irq timer 0 12; 40 run 12; 40.02 block 12 sys=270 timeout u=1
40.03 wake 0 10; 40.04 run 10; 60 sample 10 u=5; 80 wake 10 12; 80 run 12 cpu=1; 80.05 exit 12; 80.05 wake 12 10
80.06 dead 12
80.1 wake 10 13; 80.1 run 13 cpu=1; 80.15 exit 13; 80.16 dead 13
80.2 wake 10 14; 80.2 run 14 cpu=1; 80.22 wake 14 15; 80.25 exit 14; 80.26 dead 14
80.3 run 15 cpu=1; 90 sample 15 u=6
99 exit 15; 99 dead 15
100 block 10
