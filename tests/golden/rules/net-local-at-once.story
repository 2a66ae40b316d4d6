# The interrupt that brought the data found the sender itself on the CPU: it was sent just then.
0 window 0 10; 0 socket 70 77 127.0.0.1:5000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:5000
0 alive 10 client; 0 alive 20 server
0 run 10; 0 ready 77 70
2 to 10 20 sys=0 obj=70
3 send 20 78 71                # an earlier packet
8 irq net 77 10
8 to 20 10
10 block 10
