# A proxy waits for its upstream, which sleeps, from 102 to 600. Another client's request ends its sleep at 300: until then it was not idle, although that
# is what a server waits for when it has nothing to do.
0 window 0 1000; 0 target 10; 0 alive 10 proxy; 0 alive 30 app; 0 alive 40 curl; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0 run 10; 1 block 10 sys=232 obj=6; 0 run 30 cpu=1; 1 block 30 sys=232 obj=6 cpu=1
100 ready 77 70; 100 irq net 77 10; 100 run 10; 101 send 10 67 61 bytes=4; 101 ready 68 62; 101 irq net 68 30; 101 run 30 cpu=1
102 block 10 sys=232 obj=6; 103 block 30 sys=35 sleep cpu=1
300 ready 78 71; 300 irq net 78 10; 300 run 10; 301 send 10 78 71 bytes=9; 302 block 10 sys=232 obj=6
599 irq timer 0 30 cpu=1; 599 run 30 cpu=1; 600 send 30 68 62 bytes=4; 600 ready 67 61 cpu=1; 600 irq net 67 10 cpu=1; 600 run 10; 601 block 30 sys=232 obj=6 cpu=1
601 send 10 77 70 bytes=9; 602 block 10 sys=232 obj=6
