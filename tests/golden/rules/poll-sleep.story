# One deliberate sleep waits for nobody, whatever was done meanwhile; a loop of them may.
0 window 0 30; 0 ustack 1 usleep,pause_a_bit,main; 0 ustack 2 usleep,wait_for_it,main
0 alive 10 a; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 first; 1 run 20 cpu=1
2 block 10 sys=230 sleep u=1; 5 exit 20; 5 dead 20
7 irq timer 0 10; 7 run 10
10 fork 10 30; 10 new 10 30; 10 exec 30 second; 10 run 30 cpu=1
11 block 10 sys=230 sleep u=2; 13 irq timer 0 10; 13 run 10
13.01 block 10 sys=230 sleep u=2; 14 exit 30; 14 dead 30
15 irq timer 0 10; 15 run 10
30 block 10
