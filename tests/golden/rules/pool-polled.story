# A client that polls with timeouts, and a thread of Go's scheduler that answers: all polls are a wait for the
# goroutine that was taken up last, not for the timers that ended the scheduler's own polls meanwhile.
0 window 0 20; 0 ustack 1 runtime.epollwait,runtime.netpoll,runtime.findRunnable; 0 ustack 2 poll,ask,main
0 alive 10 client; 0 alive 20 server; 0 alive 21 server 20; 0 alive 22 server 20; 0 seed 20
0 socket 70 77 127.0.0.1:40000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:40000
0 run 10; 0 run 22 cpu=1; 0.1 run 21 cpu=2
1 send 10 77 70
1.5 block 21 sys=281 timeout u=1
2 block 10 sys=7 timeout u=2; 7 irq timer 0 10; 7 run 10; 7.02 block 10 sys=7 timeout u=2
9 irq timer 0 21; 9 run 21 cpu=2; 10 block 21 sys=281 timeout u=1
15 wake 22 21; 15 run 21 cpu=2
17 send 21 78 71; 17 ready 77 70; 17 irq net 77 10; 17 run 10
18 block 21
20 block 10; 20 block 22
