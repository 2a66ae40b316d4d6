# Two workers of a server (of one parent). One wakes the other because a timer of its event loop has expired. Such a loop has at least
# three timeouts (at 200, 500 and 800), so the wakeup is housekeeping, and web was idle.
0 window 0 1000; 0 target 10; 0 alive 9 master; 0 fork 9 10; 0 exec 10 web; 0 fork 9 11; 0 exec 11 web; 0 anon 6 [eventpoll]
0 new 9 10; 0 new 9 11; 0 run 10; 1 block 10 sys=232 obj=6; 0 run 11 cpu=1; 1 block 11 sys=232 obj=6 timeout
200 irq timer 0 11 cpu=1; 200 run 11 cpu=1; 201 block 11 sys=232 obj=6 timeout
500 irq timer 0 11 cpu=1; 500 run 11 cpu=1; 501 wake 11 10; 501 run 10; 502 block 11 sys=232 obj=6 timeout; 503 block 10 sys=232 obj=6
800 irq timer 0 11 cpu=1; 800 run 11 cpu=1; 801 block 11 sys=232 obj=6 timeout
