# What was done before the sleep began would have been noticed then: it is not what the sleep was for.
# Within a glance (here 80 us) it may have been missed; earlier (150 us) not.
0 window 0 30; 0 ustack 1 poll,resolve,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 missed; 1 run 20 cpu=1
2 exit 20; 2 dead 20
2.08 block 10 sys=7 timeout u=1; 7 irq timer 0 10; 7 run 10
10 fork 10 30; 10 new 10 30; 10 exec 30 noticed; 10 run 30 cpu=1
12 exit 30; 12 dead 30
12.15 block 10 sys=7 timeout u=1; 17 irq timer 0 10; 17 run 10
30 block 10
