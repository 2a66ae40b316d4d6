# A datagram's socket is bound to all addresses, or not connected: then ports decide.
0 window 0 10
0 socket 70 77 127.0.0.1:5000 127.0.0.1:53 udp; 0 socket 71 78 [::]:53 [::ffff:127.0.0.1]:5000 udp
0 alive 10 client; 0 alive 20 named
0 run 10; 0 ready 77 70
2 to 10 20 sys=0 obj=70
7 send 20 78 71
7 irq net 77 10
7 to 20 10
10 block 10
