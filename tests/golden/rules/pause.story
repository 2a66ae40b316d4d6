# In a pause of the recorder the states of threads are unknown. But a thread that does not switch during the pause stays
# in one state. Thread 10 waits for b throughout the first pause, and thread 11 computes throughout it. What thread 10
# does in the second pause is unknown.
0 window 0 100
0 alive 10 a; 0 alive 11 a 10; 0 alive 20 b
0 run 10 cpu=0; 0 run 20 cpu=1
1 run 11 cpu=2
4 block 10 futex obj=4096 sys=202 u=5
50 pause 10; 50 shed 0 step=5
50.1 seed 10 same state=1
50.2 seed 11 same
50.3 seed 20 state=1 sys=0
52 irq hard 8 20; 52 run 20 cpu=1
55 wake 20 10; 55 run 10 cpu=0
56 block 20
57 block 11
90 pause 60; 90 shed 50 step=5
90.1 seed 10 ready
90.2 seed 11 state=1 sys=35 sleep
90.3 seed 20 state=1
92 run 10 cpu=0
100 block 10
