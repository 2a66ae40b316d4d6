# A worker of the kernel ends the last of the sleeps with an item that b queued: all of them were for b.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main; 0 kstack 100 flush_to_ldisc
0 alive 10 a; 0 alive 20 b; 0 kthread 7 kworker/0:1; 0 seed 7 kthread state=1
0 run 10 cpu=0; 0 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
10.5 wake 20 7; 10.6 run 7 cpu=0; 10.6 work 7 20 100 queued=10.5
11 wake 7 10; 11 to 7 10 kthread
20 block 10; 20 block 20
