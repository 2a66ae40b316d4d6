# A server that has a request and does not answer it is not idle, although it polls and nothing more comes.
0 window 0 1000; 0 target 10; 0 alive 10 app; 0 anon 6 [eventpoll]; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 established 77 70; 0 run 10; 1 block 10 sys=232 obj=6 timeout
100 ready 77 70; 100 irq net 77 10; 100 run 10; 101 block 10 sys=232 obj=6 timeout
301 irq timer 0 10; 301 run 10; 301.1 block 10 sys=232 obj=6 timeout; 601.1 irq timer 0 10; 601.1 run 10; 601.2 block 10 sys=232 obj=6 timeout
