# An epoll instance stands for many files: a timeout in it names the service that has not answered. A timerfd that the
# thread polls is a file like others, and names itself.
0 window 0 40; 0 ustack 1 epoll_wait,isc_loop,main
0 alive 10 dig; 0 anon 5 [eventpoll]; 0 anon 6 [timerfd]
0 socket 70 77 10.0.0.1:40000 10.0.0.9:53 udp
0 run 10
1 send 10 77 70
2 block 10 sys=232 timeout u=1 obj=5; 22 irq timer 0 10; 22 run 10
24 block 10 sys=7 timeout u=1 obj=6; 30 irq timer 0 10; 30 run 10
40 block 10
