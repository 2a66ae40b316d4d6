# A device's interrupt: hardware, by the name of its handler.
0 window 0 10; 0 handler 8 ttyS0
0 alive 10 getty
0 run 10
1 block 10 sys=0
8 irq hard 8 10
8 run 10
10 block 10
