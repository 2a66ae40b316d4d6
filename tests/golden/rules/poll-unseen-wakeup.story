# One sleep of a loop of which nobody saw the end does not break it: it goes on at the same place.
0 window 0 24; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.02 block 10 sys=7 timeout u=1
12 run 10; 12.02 block 10 sys=7 timeout u=1
16 exit 20; 16 dead 20
17 irq timer 0 10; 17 run 10
24 block 10
