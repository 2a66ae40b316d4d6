# Who writes to a connection waits for room, which the other end makes by reading: what that one did
# meanwhile explains the wait. On one host, its thread delivers the packet that says so.
0 window 0 100
0 alive 10 writer; 0 alive 20 reader
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80
0 run 10; 0 run 20 cpu=1
5 send 10 77 70 bytes=1000000
10 block 10 sys=44 obj=70
12 block 20 sys=35 sleep cpu=1
80 irq timer 0 20 cpu=1; 80 run 20 cpu=1
85 irq soft 3 10 cpu=1
85 run 10
100 block 10
