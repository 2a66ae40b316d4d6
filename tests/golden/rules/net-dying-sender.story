# The interrupt that brought the data found the sender, which had just left the CPU for good: nothing
# is known of it after its end.
0 window 0 10; 0 socket 70 77 127.0.0.1:5000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:5000
0 alive 10 client; 0 alive 20 server
0 run 10; 0 ready 77 70
2 to 10 20 sys=0 obj=70
6 send 20 78 71
6.5 exit 20; 7 dead 20
7.01 irq net 77 10 tid=20
8 run 10
10 block 10
