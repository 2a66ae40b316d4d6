# Nobody polls for a process that it did not make: that the background process which it had woken went to
# sleep again meanwhile is a coincidence.
0 window 0 20; 0 ustack 1 poll,wait_latch,main
0 alive 10 backend; 0 alive 20 writer; 0 seed 20
0 run 10
1 wake 10 20; 1 run 20 cpu=1
1 block 10 sys=7 timeout u=1; 3 irq timer 0 10; 3 run 10; 3.02 block 10 sys=7 timeout u=1
8 block 20 sys=7
11 irq timer 0 10; 11 run 10
15 wake 10 20; 15 run 20 cpu=1
20 block 10; 20 block 20
