# There must be ten timeouts at the same place for each wait there that ended in another way. So the end that was not recorded at 12.5 is
# inferred to be a timeout (ten timeouts, and one wakeup by b), and the one at 31.5 is not (nine).
0 window 0 40; 0 ustack 1 poll,main; 0 ustack 2 poll,wait,main; 0 alive 10 a; 0 alive 20 b; 0 run 10; 0 run 20 cpu=1
1..10 block 10 sys=7 timeout u=1; 1.5..10.5 irq timer 0 10; 1.5..10.5 run 10
11 block 10 sys=7 timeout u=1; 11.5 wake 20 10; 11.5 run 10
12 block 10 sys=7 timeout u=1; 12.5 run 10
21..29 block 10 sys=7 timeout u=2; 21.5..29.5 irq timer 0 10; 21.5..29.5 run 10
30 block 10 sys=7 timeout u=2; 30.5 wake 20 10; 30.5 run 10
31 block 10 sys=7 timeout u=2; 31.5 run 10
40 block 10; 40 block 20
