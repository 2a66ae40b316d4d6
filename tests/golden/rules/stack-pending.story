# What a thread does again and again has one stack, however much of it could be unwound each time: one
# that ends early stands for the one that begins so. a waits at resolve three times. What b called is not
# known: it was in two places that begin so.
# view: chains
0 window 0 60
0 ustack 1 poll pending; 0 ustack 2 poll,resolve pending; 0 ustack 3 poll,resolve,main
0 ustack 4 read pending; 0 ustack 5 read,load,main; 0 ustack 6 read,parse,main
0 alive 10 a; 0 alive 11 b 10
0 run 10; 0 run 11 cpu=1
2 block 10 sys=7 timeout u=1; 5 block 11 sys=0 u=4
15 irq timer 0 10; 15 run 10; 15 irq hard 0 11 cpu=1; 15 run 11 cpu=1
17 block 10 sys=7 timeout u=2; 20 block 11 sys=0 u=5
30 irq timer 0 10; 30 run 10; 30 irq hard 0 11 cpu=1; 30 run 11 cpu=1
32 block 10 sys=7 timeout u=3; 35 block 11 sys=0 u=6
45 irq timer 0 10; 45 run 10; 45 irq hard 0 11 cpu=1; 45 run 11 cpu=1
60 block 10; 60 block 11
