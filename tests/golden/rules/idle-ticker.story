# A ticker of the process wakes a pool's thread 12 now and then, which has a look and sleeps on at the same place, on
# the other futex of its condition variable: 12 is idle. Thread 13 is woken in the same way, but a client waits for it
# when it is woken the second time: its second sleep was a wait for the ticker, and the ticker was needed as long.
# An idle kernel thread that 12 gives something to do does not need it.
0 window 0 60; 0 ustack 1 poll,tick,clone; 0 ustack 2 futex,wait_for_tasks,clone; 0 ustack 3 poll,accept_loop,main
0 alive 10 app; 0 alive 11 app 10; 0 alive 12 app 10; 0 alive 13 app 10; 0 alive 20 client; 0 kthread 30 kworker/1:1
0 seed 11; 0 seed 12; 0 seed 13; 0 seed 20
0 run 10; 0 run 30 cpu=1; 0.1 block 30 kthread state=1026
0.2 wake 10 11; 0.2 run 11 cpu=1; 0.3 block 11 sys=7 timeout u=1
0.4 wake 10 12; 0.4 run 12 cpu=1; 0.5 block 12 sys=202 futex obj=4096 u=2
0.6 wake 10 13; 0.6 run 13 cpu=1; 0.7 block 13 sys=202 futex obj=8192 u=2
0.8 wake 10 20; 0.8 run 20 cpu=1; 0.9 block 10 sys=7 u=3
20 irq timer 0 11; 20 run 11; 20.01 wake 11 12; 20.02 wake 11 13; 20.03 block 11 sys=7 timeout u=1
20.04 run 12; 20.05 wake 12 30; 20.06 block 12 sys=202 futex obj=4100 u=2
20.07 run 13; 20.08 block 13 sys=202 futex obj=8196 u=2
20.09 run 30; 20.1 block 30 kthread state=1026
30 block 20 sys=202 futex
40 irq timer 0 11; 40 run 11; 40.01 wake 11 12; 40.02 wake 11 13; 40.03 block 11 sys=7 timeout u=1
40.04 run 12; 40.06 block 12 sys=202 futex obj=4096 u=2
40.07 run 13; 40.08 wake 13 20; 40.08 run 20 cpu=1; 40.09 block 13 sys=202 futex obj=8192 u=2
60 irq timer 0 11; 60 run 11
