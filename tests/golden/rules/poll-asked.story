# Of those a thread has set going 64 are asked whether they are done: one after which it woke 40 others
# is found, one after which it woke 70 is not.
0 window 0 30; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 100..209 other; 0 seed 100..209
0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 found; 1 run 20 cpu=1
2 wake 10 100..139
3 block 10 sys=7 timeout u=1; 5 exit 20; 5 dead 20; 8 irq timer 0 10; 8 run 10
11 fork 10 30; 11 new 10 30; 11 exec 30 not_found; 11 run 30 cpu=1
12 wake 10 140..209
13 block 10 sys=7 timeout u=1; 15 exit 30; 15 dead 30; 18 irq timer 0 10; 18 run 10
30 block 10
