# A user pauses the recorder. The report names this reason, not the budget, though the recorder left out stacks before.
0 window 0 100
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0; 0 run 20 cpu=1
4 block 10 futex obj=4096 sys=202 u=5
20 shed 0 step=1
80 pause 30 requested
80.1 seed 10 state=1 sys=35 sleep; 80.2 seed 20 same
90 wake 20 10; 90 run 10 cpu=0
