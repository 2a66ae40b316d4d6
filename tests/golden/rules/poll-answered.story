# b is not polled for: since a woke it, it has woken a itself. It sleeps until a answers, not because it
# is done.
0 window 0 20; 0 ustack 1 poll,pause,main
0 alive 10 a; 0 alive 11 b 10; 0 seed 11
0 run 10
1 wake 10 11; 1 run 11 cpu=1
2 block 10 sys=202 futex obj=7
3 wake 11 10; 3 run 10; 4 block 11 sys=202 futex obj=8
3.5 block 10 sys=7 timeout u=1; 8 irq timer 0 10; 8 run 10
9 wake 10 11; 9 run 11 cpu=1
20 block 10; 20 block 11
