# view: paths
# The process's other threads are paths while they are at work: a sleep for someone else who does not
# fit ends them, the next wakeup begins them anew. They count no waits of that kind.
0 window 0 20
0 alive 10 A; 0 alive 11 t 10; 0 alive 20 B
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 20 cpu=2
4 block 11 cpu=1
10 wake 20 11; 10 run 11 cpu=1
15 block 11 sys=0 cpu=1; 18 irq hard 0 11 cpu=1; 18 run 11 cpu=1
20 block 10 cpu=0; 20 block 11 cpu=1
