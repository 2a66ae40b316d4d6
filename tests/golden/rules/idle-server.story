# A server that waits for its next request is idle, and the first sentence begins with that. What it waits
# for within a request is not: here the rest of one that comes in two parts.
0 window 0 20
0 alive 10 server; 0 alive 20 client
0 socket 70 77 127.0.0.1:80 127.0.0.1:40000; 0 socket 71 78 127.0.0.1:40000 127.0.0.1:80
0 run 10; 0 run 20 cpu=1
1 block 10 sys=0 obj=70
9 send 20 78 71; 9 ready 77 70; 9 irq net 77 10; 9 run 10
10 block 10 sys=0 obj=70
12 send 20 78 71; 12 ready 77 70; 12 irq net 77 10; 12 run 10
13 send 10 77 70; 13.01 block 10 sys=0 obj=70
18 send 20 78 71; 18 ready 77 70; 18 irq net 77 10; 18 run 10
20 block 10; 20 block 20
