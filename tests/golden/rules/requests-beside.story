# A request that passed a limit beside typical ones of the same server: what it has more of, after the breach.
0 window 2 43 0 end=200; 0 target 10 tid=10; 0 slo checkout request 20
0 alive 10 web; 0 alive 20 curl; 0 alive 30 backend
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0.1 established 77 70; 0.1 established 78 71; 0.1 run 10; 0.2 block 10 sys=232; 0.1 run 30 cpu=1; 0.2 block 30 sys=232 cpu=1
2 ready 77 70; 2 irq net 77 10; 2 run 10; 2.1 send 10 67 61 bytes=4; 2.1 ready 68 62; 2.1 irq net 68 30; 2.1 run 30 cpu=1; 2.2 block 10 sys=232; 2.3 block 30 sys=35 sleep cpu=1
10 ready 78 71; 10 irq net 78 10; 10 run 10; 11 send 10 78 71 bytes=5; 11.2 block 10 sys=232
20 ready 78 71; 20 irq net 78 10; 20 run 10; 21 send 10 78 71 bytes=5; 21.2 block 10 sys=232
42 irq timer 0 30 cpu=1; 42 run 30 cpu=1; 42.5 send 30 68 62 bytes=4 cpu=1; 42.5 ready 67 61 cpu=1; 42.5 irq net 67 10 cpu=1; 42.5 run 10; 42.6 block 30 sys=232 cpu=1; 43 send 10 77 70 bytes=5; 43.2 block 10 sys=232
50 ready 78 71; 50 irq net 78 10; 50 run 10; 51 send 10 78 71 bytes=5; 51.2 block 10 sys=232
55 ready 78 71; 55 irq net 78 10; 55 run 10; 56 send 10 78 71 bytes=5; 56.2 block 10 sys=232
60 ready 78 71; 60 irq net 78 10; 60 run 10; 61 send 10 78 71 bytes=5; 61.2 block 10 sys=232
65 ready 78 71; 65 irq net 78 10; 65 run 10; 66 send 10 78 71 bytes=5; 66.2 block 10 sys=232
70 ready 78 71; 70 irq net 78 10; 70 run 10; 71 send 10 78 71 bytes=5; 71.2 block 10 sys=232
75 ready 78 71; 75 irq net 78 10; 75 run 10; 76 send 10 78 71 bytes=5; 76.2 block 10 sys=232
80 ready 78 71; 80 irq net 78 10; 80 run 10; 81 send 10 78 71 bytes=5; 81.2 block 10 sys=232
85 ready 78 71; 85 irq net 78 10; 85 run 10; 86 send 10 78 71 bytes=5; 86.2 block 10 sys=232
90 ready 78 71; 90 irq net 78 10; 90 run 10; 91 send 10 78 71 bytes=5; 91.2 block 10 sys=232
95 ready 78 71; 95 irq net 78 10; 95 run 10; 96 send 10 78 71 bytes=5; 96.2 block 10 sys=232
