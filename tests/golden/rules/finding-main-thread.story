# rspctl ran the process, so only the main thread's time counts. The first sentence is about the wait of the main thread
# for thread 11 at the futex 4096, in join, and not about the waits of threads 12 and 13 for the main thread, which take
# just as long, and lead to thread 11, too. Its parts are durations: 11 computes for 60 ms, and sleeps for 20 ms.
0 window 0 80.5; 0 target 10 command
0 ustack 1 futex,join,main; 0 ustack 2 futex,next_job,clone; 0 ustack 3 nanosleep,pause,worker,clone
0 ustack 4 crunch,worker,clone
0 alive 10 app; 0 alive 11 app 10; 0 alive 12 app 10; 0 alive 13 app 10; 0 seed 11
0 run 12 cpu=1; 0.01 block 12 sys=202 futex obj=8192 u=2; 0.02 run 13 cpu=1; 0.03 block 13 sys=202 futex obj=8192 u=2
0 run 10; 0.04 wake 10 11; 0.04 run 11 cpu=1; 0.05 block 10 sys=202 futex obj=4096 u=1
20 sample 11 u=4; 25 sample 11 u=4; 30 sample 11 u=4; 35 sample 11 u=4; 40 sample 11 u=4
60 block 11 sys=35 sleep u=3; 80 irq timer 0 11; 80 run 11 cpu=1
80.1 wake 11 10; 80.1 run 10; 80.12 wake 10 12; 80.12 run 12 cpu=2; 80.14 wake 10 13; 80.14 run 13 cpu=3
80.15 exit 11; 80.15 dead 11; 80.5 exit 10; 80.5 dead 10
