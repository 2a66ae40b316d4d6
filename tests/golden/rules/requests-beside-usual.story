# All requests of the window take as long as the one that passed the limit: it is no exception.
0 window 101 120 0 end=200; 0 target 10 tid=10; 0 slo checkout request 10
0 alive 10 web; 0 alive 20 curl; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232
1 ready 77 70; 1 irq net 77 10; 1 run 10; 20 send 10 77 70 bytes=5; 20.2 block 10 sys=232
21 ready 77 70; 21 irq net 77 10; 21 run 10; 40 send 10 77 70 bytes=5; 40.2 block 10 sys=232
41 ready 77 70; 41 irq net 77 10; 41 run 10; 60 send 10 77 70 bytes=5; 60.2 block 10 sys=232
61 ready 77 70; 61 irq net 77 10; 61 run 10; 80 send 10 77 70 bytes=5; 80.2 block 10 sys=232
81 ready 77 70; 81 irq net 77 10; 81 run 10; 100 send 10 77 70 bytes=5; 100.2 block 10 sys=232
101 ready 77 70; 101 irq net 77 10; 101 run 10; 120 send 10 77 70 bytes=5; 120.2 block 10 sys=232
121 ready 77 70; 121 irq net 77 10; 121 run 10; 140 send 10 77 70 bytes=5; 140.2 block 10 sys=232
141 ready 77 70; 141 irq net 77 10; 141 run 10; 160 send 10 77 70 bytes=5; 160.2 block 10 sys=232
161 ready 77 70; 161 irq net 77 10; 161 run 10; 180 send 10 77 70 bytes=5; 180.2 block 10 sys=232
