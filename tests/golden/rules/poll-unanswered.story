# A thread that has asked a service polls for its answer: until one has come, a timeout names the service.
# The poll itself names no file. After the answer, a timeout names nothing.
0 window 0 30; 0 ustack 1 poll,curl_multi_poll,main
0 alive 10 curl
0 socket 70 77 10.0.0.1:40000 10.0.0.9:80
0 run 10
1 connect 10 77 70
2 block 10 sys=7 timeout u=1; 12 irq timer 0 10; 12 run 10
13 ready 77 70; 15 block 10 sys=7 timeout u=1; 20 irq timer 0 10; 20 run 10
30 block 10
