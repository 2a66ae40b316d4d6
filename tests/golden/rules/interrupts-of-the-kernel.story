# A softirq that is not the network's, an interrupt between CPUs, the idle task: the kernel.
0 window 0 20; 0 handler 8 resched
0 alive 10 a
0 run 10
1 block 10; 5 irq soft 9 10; 5 run 10    # RCU
6 block 10; 11 irq ipi 8 10; 11 run 10
12 block 10; 18 wake 0 10; 18 run 10
20 block 10
