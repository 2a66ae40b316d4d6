# rspctl ran the process, so only the main thread's time counts. Thread 11, the ticker, polled for thread 12, which it had
# woken, for longer than the main thread did anything. Nevertheless, the findings about these polls come last.
0 window 0 100; 0 target 10 command
0 ustack 1 poll,tick,clone; 0 ustack 2 nanosleep,main
0 alive 10 app; 0 alive 11 ticker 10; 0 alive 12 worker 10; 0 seed 12
0 run 11 cpu=1; 0.02 wake 11 12 cpu=1; 0.02 run 12 cpu=2; 0.05 block 11 sys=7 timeout u=1 cpu=1
0 run 10; 30 block 10 sys=35 sleep u=2
20 irq timer 0 11 cpu=1; 20 run 11 cpu=1; 20.02 block 11 sys=7 timeout u=1 cpu=1
40 irq timer 0 11 cpu=1; 40 run 11 cpu=1; 40.02 block 11 sys=7 timeout u=1 cpu=1
60 irq timer 0 11 cpu=1; 60 run 11 cpu=1; 60.02 block 11 sys=7 timeout u=1 cpu=1
75 block 12 sys=202 futex cpu=2
80 irq timer 0 10; 80 run 10; 80 irq timer 0 11 cpu=1; 80 run 11 cpu=1; 85 block 11 sys=202 futex cpu=1
100 exit 10; 100 dead 10
