# A glance counts by what it ran: 80 us, though it lost its CPU for 2 ms meanwhile. One loop, up to the
# time the worker was done.
0 window 0 30; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 40 other; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.04 preempt 10 40; 9.04 preempt 40 10; 9.08 block 10 sys=7 timeout u=1
12 exit 20; 12 dead 20
14 irq timer 0 10; 14 run 10
30 block 10
