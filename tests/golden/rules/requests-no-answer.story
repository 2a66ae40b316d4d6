# A request has no answer for longer than any other took: that comes first, with what its thread does. Connection 79 gets more and more data
# without an answer, which is no request that waits.
# requests: --slowest 1
0 window 0 1000; 0 target 10; 0 alive 10 web; 0 alive 20 curl; 0 alive 30 holder
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 72 79 10.0.0.1:80 10.0.0.2:5001 accepted
0.1 established 77 70; 0.1 established 79 72; 0.1 run 10; 0.2 block 10 sys=232; 0.1 run 30 cpu=1
1 ready 77 70; 1 irq net 77 10; 1 run 10; 2 send 10 77 70 bytes=5; 2.2 block 10 sys=232
3 ready 77 70; 3 irq net 77 10; 3 run 10; 4 send 10 77 70 bytes=5; 4.2 block 10 sys=232
5 ready 77 70; 5 irq net 77 10; 5 run 10; 6 send 10 77 70 bytes=5; 6.2 block 10 sys=232
7 ready 77 70; 7 irq net 77 10; 7 run 10; 8 send 10 77 70 bytes=5; 8.2 block 10 sys=232
9 ready 77 70; 9 irq net 77 10; 9 run 10; 10 send 10 77 70 bytes=5; 10.2 block 10 sys=232
11 ready 77 70; 11 irq net 77 10; 11 run 10; 12 send 10 77 70 bytes=5; 12.2 block 10 sys=232
13 ready 77 70; 13 irq net 77 10; 13 run 10; 14 send 10 77 70 bytes=5; 14.2 block 10 sys=232
15 ready 77 70; 15 irq net 77 10; 15 run 10; 16 send 10 77 70 bytes=5; 16.2 block 10 sys=232
17 ready 77 70; 17 irq net 77 10; 17 run 10; 18 send 10 77 70 bytes=5; 18.2 block 10 sys=232
19 ready 77 70; 19 irq net 77 10; 19 run 10; 20 send 10 77 70 bytes=5; 20.2 block 10 sys=232
21 ready 77 70; 21 irq net 77 10; 21 run 10; 22 send 10 77 70 bytes=5; 22.2 block 10 sys=232
23 ready 77 70; 23 irq net 77 10; 23 run 10; 24 send 10 77 70 bytes=5; 24.2 block 10 sys=232
25 ready 77 70; 25 irq net 77 10; 25 run 10; 26 send 10 77 70 bytes=5; 26.2 block 10 sys=232
27 ready 77 70; 27 irq net 77 10; 27 run 10; 28 send 10 77 70 bytes=5; 28.2 block 10 sys=232
29 ready 77 70; 29 irq net 77 10; 29 run 10; 30 send 10 77 70 bytes=5; 30.2 block 10 sys=232
31 ready 77 70; 31 irq net 77 10; 31 run 10; 32 send 10 77 70 bytes=5; 32.2 block 10 sys=232
33 ready 77 70; 33 irq net 77 10; 33 run 10; 34 send 10 77 70 bytes=5; 34.2 block 10 sys=232
35 ready 77 70; 35 irq net 77 10; 35 run 10; 36 send 10 77 70 bytes=5; 36.2 block 10 sys=232
37 ready 77 70; 37 irq net 77 10; 37 run 10; 38 send 10 77 70 bytes=5; 38.2 block 10 sys=232
39 ready 77 70; 39 irq net 77 10; 39 run 10; 40 send 10 77 70 bytes=5; 40.2 block 10 sys=232
50 ready 79 72; 52 ready 79 72; 54 ready 79 72
100 ready 77 70; 100 irq net 77 10; 100 run 10; 101 block 10 sys=202
1100 wake 30 10 cpu=1; 1100 run 10
