# Two small writes, then a read: TCP keeps the second back until the first is acknowledged, which the
# peer delays. From the second write until it arrives the wait is for TCP, if that takes a millisecond.
0 window 0 60
0 alive 10 client; 0 alive 20 server; 0 seed 20 sys=45 obj=71
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:4711
0 run 10
1 send 10 77 70 bytes=10
1.1 ready 78 71; 1.1 irq net 78 20 cpu=1; 1.1 run 20 cpu=1
1.2 send 10 77 70 bytes=10 nagle
1.3 block 10 sys=45 obj=70
1.5 block 20 sys=45 obj=71
42 ready 78 71 cpu=1; 42 irq net 78 20 cpu=1; 42 run 20 cpu=1
43 send 20 78 71 bytes=2; 43 ready 77 70; 43 irq net 77 10 cpu=1
43 run 10
44 send 10 77 70 bytes=10
44.1 block 20 sys=45 obj=71
44.2 send 10 77 70 bytes=10 nagle
44.3 block 10 sys=45 obj=70
45.1 ready 78 71 cpu=1; 45.1 irq net 78 20 cpu=1; 45.1 run 20 cpu=1
46 send 20 78 71 bytes=2; 46 ready 77 70; 46 irq net 77 10 cpu=1
46 run 10
60 block 10
