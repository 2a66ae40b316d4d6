# Ten times a question is sent and its answer waited for, each time before the next is sent.
0 window 0 32; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:3306
0 alive 10 client
0 run 10
1 connect 10 77 70; 1.5 established 77 70
2 send 10 77 70 bytes=100; 2.1 block 10 sys=0 obj=70; 4 ready 77 70 bytes=1000; 4 irq net 77 10; 4 run 10
5 send 10 77 70 bytes=100; 5.1 block 10 sys=0 obj=70; 7 ready 77 70 bytes=1000; 7 irq net 77 10; 7 run 10
8 send 10 77 70 bytes=100; 8.1 block 10 sys=0 obj=70; 10 ready 77 70 bytes=1000; 10 irq net 77 10; 10 run 10
11 send 10 77 70 bytes=100; 11.1 block 10 sys=0 obj=70; 13 ready 77 70 bytes=1000; 13 irq net 77 10; 13 run 10
14 send 10 77 70 bytes=100; 14.1 block 10 sys=0 obj=70; 16 ready 77 70 bytes=1000; 16 irq net 77 10; 16 run 10
17 send 10 77 70 bytes=100; 17.1 block 10 sys=0 obj=70; 19 ready 77 70 bytes=1000; 19 irq net 77 10; 19 run 10
20 send 10 77 70 bytes=100; 20.1 block 10 sys=0 obj=70; 22 ready 77 70 bytes=1000; 22 irq net 77 10; 22 run 10
23 send 10 77 70 bytes=100; 23.1 block 10 sys=0 obj=70; 25 ready 77 70 bytes=1000; 25 irq net 77 10; 25 run 10
26 send 10 77 70 bytes=100; 26.1 block 10 sys=0 obj=70; 28 ready 77 70 bytes=1000; 28 irq net 77 10; 28 run 10
29 send 10 77 70 bytes=100; 29.1 block 10 sys=0 obj=70; 31 ready 77 70 bytes=1000; 31 irq net 77 10; 31 run 10
32 block 10
