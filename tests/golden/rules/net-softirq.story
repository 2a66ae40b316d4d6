# If all that is known is that a softirq of the network woke a thread that waits for a socket, that
# socket it was.
0 window 0 20; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80; 0 pipe 6
0 alive 10 client
0 run 10
2 block 10 sys=0 obj=70
7 irq soft 3 10; 7 run 10      # NET_RX
8 block 10 sys=1 obj=70
12 irq soft 2 10; 12 run 10    # NET_TX: there is room to send
13 block 10 sys=0 obj=6
16 irq soft 3 10; 16 run 10    # a pipe is no socket
20 block 10
