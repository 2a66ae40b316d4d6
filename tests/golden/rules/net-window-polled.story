# A writer that polls until a connection has room waits for the reader, too, even if its first poll timed out at 40. The
# reader sleeps meanwhile. Another writer, 11, polls after a connect, and the packet that ends its poll at 90 arrives
# while an uninvolved thread runs: it waits for the kernel.
0 window 0 100
0 alive 10 writer; 0 alive 11 writer 10; 0 alive 20 reader; 0 alive 30 other
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80; 0 socket 71 78 127.0.0.1:4712 127.0.0.1:81
0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2; 0 run 11 cpu=3
1 send 11 77 70 bytes=10 cpu=3; 2 connect 11 78 71 cpu=3; 3 block 11 sys=7 cpu=3
5 send 10 77 70 bytes=1000000
10 block 10 sys=270 timeout; 40 irq timer 0 10; 40 run 10; 40.01 block 10 sys=270 timeout
12 block 20 sys=35 sleep cpu=1
80 irq timer 0 20 cpu=1; 80 run 20 cpu=1
85 irq soft 3 10 cpu=1; 85 run 10
90 irq soft 3 11 cpu=2; 90 run 11 cpu=3
100 block 10
