# A thread that exits lives on until it leaves the CPU for good: it frees its memory, wakes its parent.
0 window 0 12
0 alive 10 a
0 run 10
8 exit 10
10 block 10 state=2            # still, for its memory
11 irq hard 0 10; 11 run 10
12 dead 10
