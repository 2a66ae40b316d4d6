# A request arrives at the server some time after the client has sent it. If that took a millisecond or more (from 1 to 2.1), the client
# waited for the network until then. A shorter time is the normal time of a packet (from 6 to 6.9), and the wait is for the server.
0 window 0 10; 0 alive 10 client; 0 alive 20 server
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:4711
0 run 10; 0 run 20 cpu=1
1 send 10 77 70 bytes=10; 1 block 10 sys=45 obj=70; 2.1 ready 78 71 cpu=1; 4 send 20 78 71 bytes=2; 4 ready 77 70; 4 irq net 77 10 cpu=1; 4 run 10
6 send 10 77 70 bytes=10; 6 block 10 sys=45 obj=70; 6.9 ready 78 71 cpu=1; 9 send 20 78 71 bytes=2; 9 ready 77 70; 9 irq net 77 10 cpu=1; 9 run 10
10 block 20; 10 block 10
