# Without any samples the place at which a run left the CPU stands for it if it was shorter than the sampling period, here 5.03 ms.
# view: chains
0 window 0 20
0 ustack 1 read,main
0 alive 10 a; 0 run 10
5 block 10 u=1; 6 irq hard 0 10; 6 run 10
12 block 10 u=1; 20 irq hard 0 10
