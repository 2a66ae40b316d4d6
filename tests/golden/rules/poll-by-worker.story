# It queued an item for a worker of the kernel, and that woke b: it has set b going, and polls for it.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main; 0 kstack 100 tty_fn
0 alive 10 a; 0 alive 20 b 10; 0 kthread 7 kworker/0:1
0 seed 20; 0 seed 7 kthread state=1; 0 run 10
1 wake 10 7; 1 run 7 cpu=1; 1.1 work 7 10 100 queued=1; 1.2 wake 7 20; 1.3 to 7 20 kthread
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
10 block 20
12 irq timer 0 10; 12 run 10
20 block 10
