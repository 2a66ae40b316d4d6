# A thread that has a sample of its own shares none of its process: threads of one name may do different things.
# view: chains
0 window 0 30
0 ustack 1 parse,main; 0 ustack 2 own,main; 0 ustack 4 read,main
0 alive 10 a; 0 alive 11 a 10
0 run 10 cpu=0
1 sample 10 u=1; 3 block 10 u=4; 4 irq hard 0 10; 4 run 10; 5 block 10 u=4; 25 irq hard 0 10; 25 run 10
0 irq hard 0 0 cpu=1; 0 run 11 cpu=1
1 sample 11 u=2 cpu=1; 3 sample 11 u=2 cpu=1; 5 sample 11 u=2 cpu=1; 7 sample 11 u=2 cpu=1
9 sample 11 u=2 cpu=1; 11 sample 11 u=2 cpu=1; 13 sample 11 u=2 cpu=1; 15 sample 11 u=2 cpu=1
16 block 11 u=4 cpu=1; 20 irq hard 0 11 cpu=1; 20 run 11 cpu=1; 24 block 11 u=4 cpu=1
