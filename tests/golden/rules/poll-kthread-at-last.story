# b waits for a kernel thread, which another timer wakes in between. a polls for b: each of its sleeps is
# explained by what ended the whole wait of b, not by what the kernel thread did when that sleep ended.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 20 b; 0 alive 30 giver; 0 kthread 7 kworker/0:1; 0 seed 7 kthread state=1
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
1 block 20 sys=0
2 block 10 sys=7 timeout u=1
5 irq timer 3 7; 5 run 7 cpu=3; 5.1 block 7 kthread state=1
7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
11 wake 30 7; 11 run 7 cpu=3; 11.1 wake 7 20; 11.1 run 20 cpu=1; 11.2 block 7 kthread state=1
14 wake 20 10; 14 run 10
20 block 10
