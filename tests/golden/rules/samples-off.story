# Without sampling, the place at which a run left the CPU stands for a run of up to 4 ms (from 1 to 4.9). The function of a longer run
# is unknown (from 6 to 10.1).
# view: chains
0 window 0 12 hz=0; 0 ustack 2 read,main
0 alive 10 a; 0 seed 10; 1 irq hard 0 10; 1 run 10
4.9 block 10 u=2; 6 irq hard 0 10; 6 run 10
10.1 block 10 u=2; 12 irq hard 0 10
