# A server asks another host with a datagram. It may wait for the answer for up to 5 s, so the sleep from 5998 to 6000 is not idle. After
# that no answer is expected: the sleep from 6001 to 7001 is idle.
0 window 0 7100; 0 target 10; 0 alive 10 server; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 78 10.0.0.1:40000 10.0.0.3:53 udp
0 run 10; 1 block 10 sys=232 obj=6; 8 ready 77 70; 8 irq net 77 10; 8 run 10; 9 send 10 77 70 bytes=5
1000 send 10 78 71 bytes=20
5998 block 10 sys=35 sleep; 6000 irq timer 0 10; 6000 run 10
6001 block 10 sys=35 sleep; 7001 irq timer 0 10; 7001 run 10
7100 block 10
