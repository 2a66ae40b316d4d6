# A process that the poller did not make, but woke, and which was done in the last of five sleeps after one
# piece of work: it was polled for. That it waited for a CPU is part of its work.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 backend; 0 alive 20 worker; 0 alive 30 hog; 0 seed 20
0 run 10
1 wake 10 20; 1 run 20 cpu=1
1 block 10 sys=7 timeout u=1; 3 irq timer 0 10; 3 run 10; 3.02 block 10 sys=7 timeout u=1
4 preempt 20 30 cpu=1; 4.5 to 30 20
5 irq timer 0 10; 5 run 10; 5.02 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.02 block 10 sys=7 timeout u=1
9 irq timer 0 10; 9 run 10; 9.02 block 10 sys=7 timeout u=1
10 block 20 sys=7
11 irq timer 0 10; 11 run 10
20 block 10
