# A thread: what it did during the wait explains it, each part by its kind.
0 window 0 20; 0 pipe 7; 0 handler 8 ttyS0
0 alive 10 a; 0 alive 20 b
0 run 10; 0 run 20 cpu=1
2 block 10 sys=0 obj=7
5 block 20 sys=0
8 irq hard 8 20 cpu=1
9 run 20 cpu=1
15 wake 20 10
17 block 20                    # after the wakeup: no part of the wait
18 run 10
20 block 10
