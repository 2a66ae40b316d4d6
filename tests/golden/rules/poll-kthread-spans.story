# A kernel thread ends a poll, and RSP looks for its idle sleep, from which b woke it, among its last 256 spans. So the loop of a is a wait
# for loop0, which had waited 84 times for the disk since then (three spans each), but the loop of c is not one for loop1, which had waited
# 85 times: only the last sleep of c is.
0 window 0 250; 0 ustack 1 poll,wait_for_it,main; 0 handler 8 nvme0
0 alive 10 a; 0 alive 11 c 10; 0 alive 20 b; 0 kthread 7 loop0; 0 kthread 9 loop1; 0 seed 7 kthread state=1; 0 seed 9 kthread state=1
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 20 cpu=4
2 block 10 sys=7 timeout u=1; 7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
2 block 11 sys=7 timeout u=1; 7 irq timer 0 11 cpu=1; 7 run 11 cpu=1; 7.01 block 11 sys=7 timeout u=1
10.5 wake 20 7; 10.5 run 7 cpu=2; 10.5 wake 20 9; 10.5 run 9 cpu=3
11..94 block 7 state=2 kthread; 11.5..94.5 irq hard 8 7 cpu=2; 11.5..94.5 run 7 cpu=2
11..95 block 9 state=2 kthread; 11.5..95.5 irq hard 8 9 cpu=3; 11.5..95.5 run 9 cpu=3
200 wake 7 10; 200 run 10; 201 block 7 state=1 kthread; 200 wake 9 11; 200 run 11 cpu=1; 201 block 9 state=1 kthread
250 block 10; 250 block 11; 250 block 20
