# As in a late poll, a thread that it had woken was done before the last timeout. But it has asked a service, which did not
# answer: it polls for that, and nothing is inferred. Nor is the thread idle meanwhile, though nobody waits for it.
0 window 0 20; 0 ustack 1 poll,serve,main
0 alive 10 proxy; 0 alive 11 proxy 10; 0 seed 11
0 socket 70 77 127.0.0.1:40000 127.0.0.1:80
0 run 10
0.5 send 10 77 70; 1 wake 10 11; 1 run 11 cpu=1
1 block 10 sys=7 timeout u=1; 3 irq timer 0 10; 3 run 10; 3.02 block 10 sys=7 timeout u=1
8 block 11 sys=202 futex
11 irq timer 0 10; 11 run 10
15 wake 10 11; 15 run 11 cpu=1
20 block 10; 20 block 11
