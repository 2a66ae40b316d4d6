# A glance that sets another thread going is none: it then polls for that one. Two loops, of one worker
# each, that end late.
0 window 0 20; 0 ustack 1 poll,resolve,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 first; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1; 4 irq timer 0 10; 4 run 10; 4.02 block 10 sys=7 timeout u=1
5 exit 20; 5 dead 20
7 irq timer 0 10; 7 run 10
7.02 fork 10 30; 7.02 new 10 30; 7.02 exec 30 second; 7.02 run 30 cpu=1
7.05 block 10 sys=7 timeout u=1; 10 irq timer 0 10; 10 run 10; 10.02 block 10 sys=7 timeout u=1
11 exit 30; 11 dead 30
12 irq timer 0 10; 12 run 10
20 block 10
