# Before it steals a goroutine, a thread of Go's scheduler sleeps for 3 microseconds. The client waits for the
# thread that woke this one, not until that timer expires.
0 window 0 20; 0 ustack 1 runtime.futex,runtime.stopm,runtime.findRunnable,runtime.schedule; 0 ustack 2 ask,main
0 ustack 3 runtime.usleep,runtime.runqgrab,runtime.findRunnable,runtime.schedule
0 alive 10 client; 0 alive 20 server; 0 alive 21 server 20; 0 alive 22 server 20; 0 seed 21 sys=202 futex u=1; 0 seed 20
0 socket 70 77 127.0.0.1:40000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:40000
0 run 10; 0 run 22 cpu=1
1 send 10 77 70
2 block 10 sys=0 obj=70 u=2
15 wake 22 21; 15 run 21 cpu=2; 15.1 block 21 sys=35 sleep u=3; 15.103 irq timer 0 21; 15.103 run 21 cpu=2
15.2 block 22 sys=202 futex u=1
17 send 21 78 71; 17 ready 77 70; 17 irq net 77 10; 17 run 10
18 block 21
20 block 10
