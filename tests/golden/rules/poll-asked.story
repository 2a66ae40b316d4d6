# Of those a thread has set going 16 are asked whether they are done: one after which it woke 10 others
# is found, one after which it woke 20 is not.
0 window 0 40; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 100..129 other; 0 seed 100..129
0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 found; 1 run 20 cpu=1
2 wake 10 100..109
3 block 10 sys=7 timeout u=1; 8 irq timer 0 10; 8 run 10; 8.01 block 10 sys=7 timeout u=1
10 exit 20; 10 dead 20
13 irq timer 0 10; 13 run 10
21 fork 10 30; 21 new 10 30; 21 exec 30 not_found; 21 run 30 cpu=1
22 wake 10 110..129
23 block 10 sys=7 timeout u=1; 28 irq timer 0 10; 28 run 10; 28.01 block 10 sys=7 timeout u=1
30 exit 30; 30 dead 30
33 irq timer 0 10; 33 run 10
40 block 10
