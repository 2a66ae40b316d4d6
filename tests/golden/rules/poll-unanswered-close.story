# An event loop sends a request, and its epoll times out twice: the file of an epoll stands for many others, so
# the service is named that has not answered. A receive on the very socket times out in the same way. Once the
# connection is closed, no answer is missing any more, and a timeout of the loop names none; nor does one of a
# poll that names another file.
0 window 0 60; 0 ustack 1 epoll_wait,serve,main; 0 ustack 2 recv,ask,main
0 alive 10 loop
0 anon 5 [eventpoll]; 0 anon 6 [eventfd]
0 socket 70 77 10.0.0.1:40000 10.0.0.9:80
0 run 10
1 connect 10 77 70
2 block 10 sys=232 timeout u=1 obj=5; 12 irq timer 0 10; 12 run 10
14 block 10 sys=45 timeout u=2 obj=70; 24 irq timer 0 10; 24 run 10
26 block 10 sys=7 timeout u=1 obj=6; 30 irq timer 0 10; 30 run 10
31 close 77 70
33 block 10 sys=232 timeout u=1 obj=5; 53 irq timer 0 10; 53 run 10
60 block 10
