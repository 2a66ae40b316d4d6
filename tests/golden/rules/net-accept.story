# A connection attempt counts as sending: it is what one that accepts waits for.
0 window 0 10; 0 socket 70 77 0.0.0.0:80 0.0.0.0:0; 0 socket 71 78 127.0.0.1:5000 127.0.0.1:80
0 alive 10 server; 0 alive 20 client
0 run 10; 0 ready 77 70
2 to 10 20 sys=288 obj=70      # accept4
7 connect 20 78 71
7 irq net 77 10
7 to 20 10
10 block 10
