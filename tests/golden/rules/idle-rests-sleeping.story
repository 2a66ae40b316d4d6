# A program that sleeps at equal intervals and does next to nothing between is idle, which is inferred.
0 window 0 1000; 0 target 10; 0 alive 10 cron; 0 ustack 1 nanosleep,sleep_until,main
0 run 10; 1 block 10 sys=35 sleep u=1; 301 irq timer 0 10; 301 run 10; 302 block 10 sys=35 sleep u=1; 602 irq timer 0 10; 602 run 10; 603 block 10 sys=35 sleep u=1
