# view: net
# Conversations by thread and peer; a wait after a send of one's own is a round trip.
0 window 0 20; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80; 0 socket 80 87 10.0.0.1:6000 10.0.0.3:53 udp
0 socket 72 78 127.0.0.1:7000 127.0.0.1:90; 0 socket 73 79 127.0.0.1:90 127.0.0.1:7000
0 alive 10 client; 0 alive 20 server
0 run 10; 0 seed 20; 0 ready 79 73
1 connect 10 77 70; 1.5 established 77 70; 2 send 10 77 70 bytes=100
2 block 10 sys=0 obj=70; 6 ready 77 70 bytes=1000; 6 irq net 77 10; 6 run 10
7 block 10 sys=0 obj=70; 9 ready 77 70 bytes=1000; 9 irq net 77 10; 9 run 10   # more of the same
10 send 10 87 80 bytes=40
10 block 10 sys=0 obj=80; 11 ready 87 80 bytes=60; 11 irq net 87 10; 11 run 10
12 send 10 78 72 bytes=5; 12 irq net 79 20; 12 to 10 20 sys=0 obj=72
15 send 20 79 73 bytes=6; 15 irq net 78 10; 15 to 20 10
19 close 77 70
20 block 10
