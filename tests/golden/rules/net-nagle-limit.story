# The server sends its answer in two parts, and TCP holds the second part back. If it then takes a millisecond or more, TCP caused the
# wait (from 3 to 4.1); a shorter time is the normal time of a packet (from 8 to 8.9).
0 window 0 10; 0 alive 10 client; 0 alive 20 server
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:4711
0 run 10; 0 run 20 cpu=1
2 send 20 78 71 bytes=2; 2.5 block 10 sys=45 obj=70; 3 send 20 78 71 bytes=2 nagle; 4.1 ready 77 70; 4.1 irq net 77 10 cpu=2; 4.1 run 10
7 send 20 78 71 bytes=2; 7.5 block 10 sys=45 obj=70; 8 send 20 78 71 bytes=2 nagle; 8.9 ready 77 70; 8.9 irq net 77 10 cpu=2; 8.9 run 10
10 block 20
