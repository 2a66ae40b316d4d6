# An event loop asks over a unix socket, and serves another client until the answer is there. The answer wakes it directly.
# requests: --slowest 3
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl; 0 alive 30 php
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 79 10.0.0.1:80 10.0.0.2:5001 accepted
0 unix 40 /run/php.sock; 0 unixsocket 61 67 68 5 40 connected; 0 unixsocket 62 68 67 5 40 accepted
1 run 10; 1 block 10 sys=232; 1 run 30 cpu=1; 1.5 block 30 sys=0 cpu=1
2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 message 10 61 62 bytes=4; 3 wake 10 30; 3 run 30 cpu=1; 3.5 block 10 sys=232
10 ready 79 71; 10 irq net 79 10; 10 run 10; 11 send 10 79 71 bytes=9; 11.5 block 10 sys=232
23 message 30 62 61 bytes=4 cpu=1; 23 wake 30 10 cpu=1; 23 run 10; 24 block 30 sys=0 cpu=1; 25 send 10 77 70 bytes=9; 26 block 10 sys=232
