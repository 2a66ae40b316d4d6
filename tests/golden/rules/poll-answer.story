# Polls that time out, and at last one that an answer ends, are one wait for the answer: for the server, as
# long as it computes.
0 window 0 20; 0 ustack 1 poll,curl_multi_poll,main
0 alive 10 curl; 0 alive 20 server; 0 seed 20
0 socket 70 77 127.0.0.1:40000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:40000
0 run 10
1 send 10 77 70; 1.01 ready 78 71; 1.01 irq net 78 20; 1.02 run 20 cpu=1
2 block 10 sys=7 timeout u=1 obj=70; 7 irq timer 0 10; 7 run 10; 7.02 block 10 sys=7 timeout u=1 obj=70
12 irq timer 0 10; 12 run 10; 12.02 block 10 sys=7 timeout u=1 obj=70
17 send 20 78 71; 17.01 ready 77 70; 17.01 irq net 77 10; 17.02 run 10
18 block 20
20 block 10
