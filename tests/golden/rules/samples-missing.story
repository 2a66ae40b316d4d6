# A sample stands for no more time than chance may leave without one. Of a run that is long enough for several, but has none, and of what
# lies out of a sample's reach in a run that has some, nothing is known.
0 window 0 260
0 ustack 1 hash,main; 0 ustack 2 read,main
0 alive 10 a; 0 run 10
1 sample 10 u=1; 3 block 10 u=2; 4 irq hard 0 10; 4 run 10
24 block 10 u=2; 30 irq hard 0 10; 30 run 10     # 20 ms without a sample, at 199 Hz
100 sample 10 u=1                                # reaches 10 ms to either side
160 sample 10 u=1
200 block 10 u=2; 260 irq hard 0 10
