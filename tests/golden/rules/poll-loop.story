# while (!done) poll(timeout): sleeps at the same place with next to nothing done between them (under
# 100 us) are one. Until the thread it had made was done, it waited for that one.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.08 block 10 sys=7 timeout u=1    # a glance: 80 us
11 exit 20; 11 dead 20
12 irq timer 0 10; 12 run 10                                   # notices a millisecond late
20 block 10
