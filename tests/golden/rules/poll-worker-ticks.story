# The same, but a did not end that loop: b goes on by itself, so its sleep is no sign that it was done.
0 window 0 40; 0 ustack 1 poll,wait_for_it,main; 0 ustack 2 poll,next_job,main
0 alive 10 a; 0 alive 11 b 10; 0 alive 30 c; 0 seed 11
0 run 10; 0 run 30 cpu=2
1 wake 10 11; 1 run 11 cpu=1
2 block 10 sys=7 timeout u=1; 12 irq timer 0 10; 12 run 10; 12.02 block 10 sys=7 timeout u=1
15 block 11 sys=7 timeout u=2; 18 irq timer 1 11; 18 run 11 cpu=1; 18.02 block 11 sys=7 timeout u=2
21 irq timer 1 11; 21 run 11 cpu=1; 21.02 block 11 sys=7 timeout u=2
22 irq timer 0 10; 22 run 10
23 wake 30 11; 23 run 11 cpu=1
40 block 10; 40 block 11
