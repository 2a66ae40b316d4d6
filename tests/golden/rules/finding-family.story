# The threads of a pool have names that differ only in their numbers, so one sentence reports that the main thread waited
# for three of them, one after the other, which slept. Thread 14 is not of the family.
0 window 0 100.1; 0 target 10 command
0 ustack 1 futex,result,main; 0 ustack 2 nanosleep,slow_job,clone
0 alive 10 app; 0 alive 11 pool-1-exec-9 10; 0 alive 12 pool-1-exec-10 10; 0 alive 13 pool-2-exec-11 10
0 alive 14 pool-1-exec-x 10
0 run 11 cpu=1; 0.01 block 11 sys=35 sleep u=2; 0.01 run 12 cpu=1; 0.02 block 12 sys=35 sleep u=2
0.02 run 13 cpu=1; 0.03 block 13 sys=35 sleep u=2; 0.03 run 14 cpu=1; 0.04 block 14 sys=35 sleep u=2
0 run 10; 0.05 block 10 sys=202 futex obj=4096 u=1
30 irq timer 0 11; 30 run 11 cpu=1; 30.01 wake 11 10; 30.01 run 10; 30.03 exit 11; 30.03 dead 11
30.05 block 10 sys=202 futex obj=4200 u=1
60 irq timer 0 12; 60 run 12 cpu=1; 60.01 wake 12 10; 60.01 run 10; 60.03 exit 12; 60.03 dead 12
60.05 block 10 sys=202 futex obj=4304 u=1
90 irq timer 0 13; 90 run 13 cpu=1; 90.01 wake 13 10; 90.01 run 10; 90.03 exit 13; 90.03 dead 13
90.05 block 10 sys=202 futex obj=4408 u=1
100 irq timer 0 14; 100 run 14 cpu=1; 100.01 wake 14 10; 100.01 run 10; 100.03 exit 14; 100.03 dead 14
100.1 exit 10; 100.1 dead 10
