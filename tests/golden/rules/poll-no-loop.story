# A thread that does more than a glance between two sleeps (300 us, of 5 ms) works at something, and sleeps
# at different places are different ones: timeouts, all of them, for nobody.
0 window 0 30; 0 ustack 1 poll,wait_for_it,main; 0 ustack 2 poll,wait_for_other,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.3 block 10 sys=7 timeout u=1
11 exit 20; 11 dead 20
12 irq timer 0 10; 12 run 10
15 fork 10 30; 15 new 10 30; 15 exec 30 worker; 15 run 30 cpu=1
16 block 10 sys=7 timeout u=1
21 irq timer 0 10; 21 run 10; 21.01 block 10 sys=7 timeout u=2
25 exit 30; 25 dead 30
26 irq timer 0 10; 26 run 10
30 block 10
