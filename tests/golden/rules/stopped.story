# A thread that a signal or a debugger stopped is waited for as such: who lets it go on is no cause, but named.
0 window 0 40; 0 alive 10 client; 0 alive 20 server; 0 alive 30 killer
0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2
2 block 10 sys=0; 3 wake 30 20 cpu=2; 5 block 20 sys=45 state=260 cpu=1; 6 block 30 sys=230 sleep cpu=2
28 irq timer 0 30 cpu=2; 28 run 30 cpu=2
30 wake 30 20 cpu=2; 30 run 20 cpu=1; 31 wake 20 10 cpu=1; 31 run 10; 32 block 10 state=8; 38 wake 30 10 cpu=2; 38 run 10; 40 block 10
