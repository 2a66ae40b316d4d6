# A connection that is not answered: TCP sends the SYN again until the listener accepts what is in its
# queue. Who sends from that port is the listener, if the connection does not leave this host.
0 window 0 1100
0 alive 10 client; 0 alive 20 server
0 socket 69 77 127.0.0.1:0 127.0.0.1:80
0 socket 70 77 127.0.0.1:4711 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:4711
0 run 10; 0 run 20 cpu=1
10 connect 10 77 69
10 block 10 sys=42 obj=69
1010 resend 77 70 connect
1010.2 established 77 70; 1010.2 irq net 77 10
1010.2 run 10
1020 block 10 sys=45 obj=70
1050 send 20 78 71 bytes=2; 1050 ready 77 70 cpu=1; 1050 irq net 77 10 cpu=1
1050 run 10
1100 block 10
