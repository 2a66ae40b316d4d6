# The latencies of requests and calls, for a collector of metrics.
# requests: --openmetrics
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 79 77 10.0.0.1:0 10.0.0.2:5000
0 alive 30 redis; 0 socket 61 67 10.0.0.1:5000 10.0.0.1:6379 connected; 0 socket 62 68 10.0.0.1:6379 10.0.0.1:5000 accepted
1 run 10; 1 block 10 sys=232; 1 run 30 cpu=1; 1.5 block 30 sys=232 cpu=1
2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 send 10 67 61 bytes=4; 3 ready 68 62; 3 irq net 68 30; 3 run 30 cpu=1; 3.5 block 10 sys=232
23 send 30 68 62 bytes=4; 23 ready 67 61 cpu=1; 23 irq net 67 10 cpu=1; 23 run 10; 24 block 30 sys=232 cpu=1; 25 send 10 77 70 bytes=9; 26 block 10 sys=232
