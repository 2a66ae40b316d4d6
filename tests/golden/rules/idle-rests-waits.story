# As in idle-rests-limits, but the process waited for hardware for 11 ms, so it was not idle.
0 window 0 1000; 0 target 10; 0 alive 10 cron; 0 ustack 1 nanosleep,sleep_until,main; 0 handler 8 ttyS0; 0 run 10
20 block 10 sys=35 sleep u=1; 260 irq timer 0 10; 260 run 10; 270 block 10 sys=35 sleep u=1; 567 irq timer 0 10; 567 run 10
575 block 10 sys=0; 586 irq hard 8 10; 586 run 10
590 block 10 sys=35 sleep u=1; 773 irq timer 0 10; 773 run 10; 778 block 10 sys=35 sleep u=1; 1000 irq timer 0 10
