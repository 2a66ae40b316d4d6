# What was done before the last sleep began would have been noticed then: it is not what that was for.
# Within a glance (here 80 us) it may have been missed; earlier (150 us) not.
0 window 0 40; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 missed; 1 run 20 cpu=1
3 block 10 sys=7 timeout u=1; 7.97 exit 20; 7.97 dead 20
8 irq timer 0 10; 8 run 10; 8.05 block 10 sys=7 timeout u=1; 13 irq timer 0 10; 13 run 10
21 fork 10 30; 21 new 10 30; 21 exec 30 noticed; 21 run 30 cpu=1
23 block 10 sys=7 timeout u=1; 27.9 exit 30; 27.9 dead 30
28 irq timer 0 10; 28 run 10; 28.05 block 10 sys=7 timeout u=1; 33 irq timer 0 10; 33 run 10
40 block 10
