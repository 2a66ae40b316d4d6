# A client that polls until its answer comes is not idle: the call is pending until then. Nor is it idle after that, as it serves nobody.
0 window 0 1000; 0 target 10; 0 alive 10 app; 0 anon 6 [eventpoll]; 0 socket 61 67 10.0.0.1:5000 10.0.0.9:81 connected
0 run 10; 1 send 10 67 61 bytes=4; 1 block 10 sys=232 obj=6 timeout
301 irq timer 0 10; 301 run 10; 301.1 block 10 sys=232 obj=6 timeout; 601.1 irq timer 0 10; 601.1 run 10; 601.2 block 10 sys=232 obj=6 timeout
700 ready 67 61; 700 irq net 67 10; 700 run 10; 701 block 10 sys=232 obj=6 timeout; 901 irq timer 0 10; 901 run 10; 902 block 10 sys=232 obj=6 timeout
