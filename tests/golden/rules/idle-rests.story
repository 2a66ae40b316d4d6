# No record of a socket tells that this event loop serves, but it did next to nothing. A message of a stranger is what it waits for.
0 window 0 1000; 0 target 10; 0 alive 10 journald; 0 alive 40 logger; 0 anon 6 [eventpoll]
0 run 10; 1 block 10 sys=232 obj=6 timeout; 0 run 40 cpu=1; 1 block 40 sys=35 sleep cpu=1
301 irq timer 0 10; 301 run 10; 302 block 10 sys=232 obj=6 timeout; 600 irq timer 0 40 cpu=1; 600 run 40 cpu=1; 601 wake 40 10; 601 run 10; 602 block 10 sys=232 obj=6 timeout
610 block 40 sys=35 sleep cpu=1
