# Sockets of an old recording do not show which end was accepted: an end is the server's if its port is below 32768, and the other one
# is not. So the wait until 9 is idle, and the wait for a connection between two low ports (from 12 to 18) is not.
0 window 0 20
0 alive 10 server; 0 alive 20 client
0 socket 70 77 127.0.0.1:32767 127.0.0.1:32768; 0 socket 71 78 127.0.0.1:32768 127.0.0.1:32767
0 socket 72 79 127.0.0.1:80 127.0.0.1:32766; 0 socket 73 80 127.0.0.1:32766 127.0.0.1:80
0 run 10; 0 run 20 cpu=1
1 block 10 sys=0 obj=70; 9 send 20 78 71; 9 ready 77 70; 9 irq net 77 10; 9 run 10; 10 send 10 77 70
12 block 10 sys=0 obj=72; 18 send 20 80 73; 18 ready 79 72; 18 irq net 79 10; 18 run 10; 19 send 10 79 72
20 block 20; 20 block 10
