# What was pending when the span began or ended is told apart, and no part of the percentiles.
# requests:
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 79 77 10.0.0.1:0 10.0.0.2:5000
1 run 10; 2 send 10 77 70 bytes=5; 3 send 10 77 70 bytes=5; 3.5 block 10 sys=232
4 ready 77 70; 4 irq net 77 10; 4 run 10; 5 send 10 77 70 bytes=5; 6 block 10 sys=232; 90 ready 77 70; 90 irq net 77 10; 90 run 10
