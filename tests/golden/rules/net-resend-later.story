# A thread waits for another host from 2 to 210. Another thread sends the request at 4, and TCP sends it again at 204. So TCP causes the
# wait from 4 to 204, and the time before and after is a wait for the network as usual.
0 window 0 220; 0 target 10 tid=10; 0 alive 10 reader; 0 alive 11 writer 10; 0 socket 70 77 10.0.0.1:40000 10.0.0.2:80
0 run 10; 0 run 11 cpu=1; 2 block 10 sys=45 obj=70
4 send 11 77 70 bytes=10; 5 block 11 sys=202 futex
204 resend 77 70; 210 ready 77 70; 210 irq net 77 10; 210 run 10; 220 block 10
