# view: paths
# A sleep begins at its de facto start: who began to work after the first of several timeouts at one
# place is a child of the whole loop, and no timeout is left.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 A; 0 alive 20 B; 0 seed 20; 0 run 10 cpu=0
2 wake 10 20; 2 block 10 sys=7 timeout u=1 cpu=0; 3 run 20 cpu=1
7 irq timer 0 10; 7 run 10 cpu=0; 7.01 block 10 sys=7 timeout u=1 cpu=0
12 irq timer 0 10; 12 run 10 cpu=0; 12.01 block 10 sys=7 timeout u=1 cpu=0
15 wake 20 10; 15 run 10 cpu=0; 15 block 20 cpu=1
20 block 10 cpu=0
