# A server asks over two connections to one unix socket: the comparison counts all its calls there as one activity.
# requests: --slowest 1
0 window 0 60; 0 target 10; 0 alive 10 web; 0 alive 20 curl; 0 alive 30 php
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 unix 40 /run/php.sock
0 unixsocket 61 67 68 5 40 connected; 0 unixsocket 62 68 67 5 40 accepted; 0 unixsocket 63 87 88 6 40 connected; 0 unixsocket 64 88 87 6 40 accepted
0 run 10; 0.2 block 10 sys=232; 0 run 30 cpu=1; 0.2 block 30 sys=0 cpu=1
1..10 ready 77 70; 1..10 irq net 77 10; 1..10 run 10; 1.1..10.1 message 10 61 62 bytes=4; 1.1..10.1 wake 10 30; 1.1..10.1 run 30 cpu=1; 1.2..10.2 block 10 sys=232
1.4..10.4 message 30 62 61 bytes=4 cpu=1; 1.4..10.4 wake 30 10 cpu=1; 1.4..10.4 run 10; 1.45..10.45 block 30 sys=0 cpu=1; 1.5..10.5 send 10 77 70 bytes=5; 1.55..10.55 block 10 sys=232
11..20 ready 77 70; 11..20 irq net 77 10; 11..20 run 10; 11.1..20.1 message 10 63 64 bytes=4; 11.1..20.1 wake 10 30; 11.1..20.1 run 30 cpu=1; 11.2..20.2 block 10 sys=232
11.4..20.4 message 30 64 63 bytes=4 cpu=1; 11.4..20.4 wake 30 10 cpu=1; 11.4..20.4 run 10; 11.45..20.45 block 30 sys=0 cpu=1; 11.5..20.5 send 10 77 70 bytes=5; 11.55..20.55 block 10 sys=232
# the slow request
30 ready 77 70; 30 irq net 77 10; 30 run 10; 30.1 message 10 63 64 bytes=4; 30.1 wake 10 30; 30.1 run 30 cpu=1; 30.2 block 10 sys=232; 30.3 block 30 sys=35 sleep cpu=1
50 irq timer 0 30 cpu=1; 50 run 30 cpu=1; 50.4 message 30 64 63 bytes=4 cpu=1; 50.4 wake 30 10 cpu=1; 50.4 run 10; 50.45 block 30 sys=0 cpu=1; 50.5 send 10 77 70 bytes=5; 50.55 block 10 sys=232
