# A run too short to be sampled borrows the sample of one that left the CPU at the same place of its
# program; if there are several, one after the other. Inferred.
0 window 0 12
0 ustack 1 hash,main; 0 ustack 2 write,main; 0 ustack 3 read,main; 0 ustack 4 probe,main
0 alive 10 a; 0 run 10
1 sample 10 u=1; 3 sample 10 u=4
4 block 10 u=2; 5 irq hard 0 10; 5 run 10    # leaves at write: hash and probe are lent
6 block 10 u=2; 7 irq hard 0 10; 7 run 10    # one of them
8 block 10 u=2; 9 irq hard 0 10; 9 run 10    # the other
11 block 10 u=3                              # at read nobody was sampled: read it is
