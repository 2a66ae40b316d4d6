# The slow requests of a server wait for a backend that sleeps: the first sentence of the report compares them with typical ones, and says how much of the
# time the process was idle.
0 window 0 1000; 0 target 10; 0 alive 10 web; 0 alive 20 curl; 0 alive 30 backend; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232 obj=6; 0.1 run 30 cpu=1; 0.2 block 30 sys=232 obj=6 cpu=1
10 ready 77 70; 10 irq net 77 10; 10 run 10; 11 send 10 77 70 bytes=5; 11.2 block 10 sys=232 obj=6
20 ready 77 70; 20 irq net 77 10; 20 run 10; 21 send 10 77 70 bytes=5; 21.2 block 10 sys=232 obj=6
30 ready 77 70; 30 irq net 77 10; 30 run 10; 31 send 10 77 70 bytes=5; 31.2 block 10 sys=232 obj=6
40 ready 77 70; 40 irq net 77 10; 40 run 10; 41 send 10 77 70 bytes=5; 41.2 block 10 sys=232 obj=6
50 ready 77 70; 50 irq net 77 10; 50 run 10; 51 send 10 77 70 bytes=5; 51.2 block 10 sys=232 obj=6
60 ready 77 70; 60 irq net 77 10; 60 run 10; 61 send 10 77 70 bytes=5; 61.2 block 10 sys=232 obj=6
70 ready 77 70; 70 irq net 77 10; 70 run 10; 71 send 10 77 70 bytes=5; 71.2 block 10 sys=232 obj=6
80 ready 77 70; 80 irq net 77 10; 80 run 10; 81 send 10 77 70 bytes=5; 81.2 block 10 sys=232 obj=6
90 ready 77 70; 90 irq net 77 10; 90 run 10; 91 send 10 77 70 bytes=5; 91.2 block 10 sys=232 obj=6
100 ready 77 70; 100 irq net 77 10; 100 run 10; 101 send 10 77 70 bytes=5; 101.2 block 10 sys=232 obj=6
110 ready 77 70; 110 irq net 77 10; 110 run 10; 111 send 10 77 70 bytes=5; 111.2 block 10 sys=232 obj=6
120 ready 77 70; 120 irq net 77 10; 120 run 10; 121 send 10 77 70 bytes=5; 121.2 block 10 sys=232 obj=6
130 ready 77 70; 130 irq net 77 10; 130 run 10; 131 send 10 77 70 bytes=5; 131.2 block 10 sys=232 obj=6
140 ready 77 70; 140 irq net 77 10; 140 run 10; 140.1 send 10 67 61 bytes=4; 140.1 ready 68 62; 140.1 irq net 68 30; 140.1 run 30 cpu=1; 140.2 block 10 sys=232 obj=6; 140.3 block 30 sys=35 sleep cpu=1
340 irq timer 0 30 cpu=1; 340 run 30 cpu=1; 340.5 send 30 68 62 bytes=4 cpu=1; 340.5 ready 67 61 cpu=1; 340.5 irq net 67 10 cpu=1; 340.5 run 10; 340.6 block 30 sys=232 obj=6 cpu=1; 341 send 10 77 70 bytes=5; 341.2 block 10 sys=232 obj=6
350 ready 77 70; 350 irq net 77 10; 350 run 10; 351 send 10 77 70 bytes=5; 351.2 block 10 sys=232 obj=6
360 ready 77 70; 360 irq net 77 10; 360 run 10; 361 send 10 77 70 bytes=5; 361.2 block 10 sys=232 obj=6
370 ready 77 70; 370 irq net 77 10; 370 run 10; 371 send 10 77 70 bytes=5; 371.2 block 10 sys=232 obj=6
380 ready 77 70; 380 irq net 77 10; 380 run 10; 381 send 10 77 70 bytes=5; 381.2 block 10 sys=232 obj=6
390 ready 77 70; 390 irq net 77 10; 390 run 10; 391 send 10 77 70 bytes=5; 391.2 block 10 sys=232 obj=6
400 ready 77 70; 400 irq net 77 10; 400 run 10; 401 send 10 77 70 bytes=5; 401.2 block 10 sys=232 obj=6
410 ready 77 70; 410 irq net 77 10; 410 run 10; 411 send 10 77 70 bytes=5; 411.2 block 10 sys=232 obj=6
420 ready 77 70; 420 irq net 77 10; 420 run 10; 421 send 10 77 70 bytes=5; 421.2 block 10 sys=232 obj=6
430 ready 77 70; 430 irq net 77 10; 430 run 10; 431 send 10 77 70 bytes=5; 431.2 block 10 sys=232 obj=6
440 ready 77 70; 440 irq net 77 10; 440 run 10; 441 send 10 77 70 bytes=5; 441.2 block 10 sys=232 obj=6
450 ready 77 70; 450 irq net 77 10; 450 run 10; 451 send 10 77 70 bytes=5; 451.2 block 10 sys=232 obj=6
