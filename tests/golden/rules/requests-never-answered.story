# A connection that ends without an answer; a client that closes its half gets one nevertheless. Who never sent belongs to its port's server.
# requests:
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 79 77 10.0.0.1:0 10.0.0.2:5000
0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted; 0 socket 81 78 10.0.0.1:0 10.0.0.2:5001
1 established 77 70; 1 established 78 71; 1 run 10; 1.5 block 10 sys=232
2 ready 77 70 seq=100; 2 irq net 77 10; 2 run 10; 3 block 10 sys=232; 8 close 77 79
10 ready 78 71 seq=100; 10 irq net 78 10; 10 run 10; 11 close 78 71; 11 ready 78 71 seq=101; 15 send 10 78 71 bytes=5; 16 block 10 sys=232; 17 close 78 81
