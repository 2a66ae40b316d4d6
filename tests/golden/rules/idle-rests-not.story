# The same program as a job that its parent waits for is not idle: it is slow, as it sleeps.
0 window 0 1000; 0 target 10; 0 alive 9 sh; 0 fork 9 10; 0 exec 10 job; 0 ustack 1 nanosleep,sleep_until,main; 0.5 run 9 cpu=1; 0.6 block 9 sys=61 cpu=1
1 run 10; 2 block 10 sys=35 sleep u=1; 301 irq timer 0 10; 301 run 10; 302 block 10 sys=35 sleep u=1; 602 irq timer 0 10; 602 run 10; 603 block 10 sys=35 sleep u=1
