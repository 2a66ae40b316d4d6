# An event loop has called a server on another host (at 1.1) for a request that it answers at 99. Meanwhile it calls another server for 80
# quick requests (from 2 to 81.3). All the time that the loop waits, the slow call is pending, so it waits for that server and is never
# idle until 99, however many calls have come since.
0 window 0 110; 0 target 10; 0 alive 10 proxy; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.3:81 connected; 0 socket 62 68 10.0.0.1:5001 10.0.0.4:82 connected
0 run 10; 0.5 block 10 sys=232 obj=6
1 ready 77 70; 1 irq net 77 10; 1 run 10; 1.1 send 10 67 61 bytes=4; 1.2 block 10 sys=232 obj=6
2..81 ready 78 71; 2..81 irq net 78 10; 2..81 run 10; 2.1..81.1 send 10 68 62 bytes=4; 2.1..81.1 block 10 sys=232 obj=6
2.2..81.2 ready 68 62; 2.2..81.2 irq net 68 10; 2.2..81.2 run 10; 2.3..81.3 send 10 78 71 bytes=5; 2.4..81.4 block 10 sys=232 obj=6
98 ready 67 61; 98 irq net 67 10; 98 run 10; 99 send 10 77 70 bytes=5; 99.2 block 10 sys=232 obj=6
