# What a server sends within 1.5 s of the last part belongs to the same answer, so the request is pending until 1411.1 and the sleep
# before is not idle. What it sends later is a notification, and the sleep before (from 1421.2 to 3021.5) is idle.
0 window 0 3100; 0 target 10; 0 alive 10 web; 0 anon 6 [eventpoll]; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 run 10; 1 block 10 sys=232 obj=6
10 ready 77 70; 10 irq net 77 10; 10 run 10; 11 send 10 77 70 bytes=5; 11.2 block 10 sys=232 obj=6 timeout
1411 irq timer 0 10; 1411 run 10; 1411.1 send 10 77 70 bytes=5; 1412 block 10 sys=232 obj=6
1420 ready 77 70; 1420 irq net 77 10; 1420 run 10; 1421 send 10 77 70 bytes=5; 1421.2 block 10 sys=232 obj=6 timeout
3021.5 irq timer 0 10; 3021.5 run 10; 3021.6 send 10 77 70 bytes=5; 3022 block 10 sys=232 obj=6
