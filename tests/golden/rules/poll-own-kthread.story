# The same again, but the poller itself had woken the kernel thread: the poll was for nobody else.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 kthread 7 loop0; 0 seed 7 kthread state=1
0 run 10 cpu=0
1 wake 10 7; 1.1 run 7 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
11 wake 7 10; 11 run 10; 11.1 block 7 kthread
20 block 10
