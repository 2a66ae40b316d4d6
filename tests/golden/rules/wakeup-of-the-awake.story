# A wakeup of a thread that runs or waits for a CPU is no cause of anything.
0 window 0 12
0 alive 10 a; 0 alive 20 b; 0 alive 30 c
0 run 10 cpu=0; 0 run 30 cpu=1
1 wake 30 10
2 preempt 10 20
3 wake 30 10
4 to 20 10
6 block 10; 9 irq hard 0 10; 10 run 10
12 block 10
