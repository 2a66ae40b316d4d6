# As in idle-rests-housekeeping, but two timeouts are no loop. So the message may be a job, and web was not idle before it.
0 window 0 1000; 0 target 10; 0 alive 9 master; 0 fork 9 10; 0 exec 10 web; 0 fork 9 11; 0 exec 11 web; 0 anon 6 [eventpoll]
0 new 9 10; 0 new 9 11; 0 run 10; 1 block 10 sys=232 obj=6; 0 run 11 cpu=1; 1 block 11 sys=232 obj=6 timeout
500 irq timer 0 11 cpu=1; 500 run 11 cpu=1; 501 wake 11 10; 501 run 10; 502 block 11 sys=232 obj=6 timeout; 503 block 10 sys=232 obj=6
800 irq timer 0 11 cpu=1; 800 run 11 cpu=1; 801 block 11 sys=232 obj=6 timeout
