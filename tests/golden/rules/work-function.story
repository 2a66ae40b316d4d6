# What a worker was at is the object of its time: the function of its item.
0 window 0 10; 0 kstack 100 decrypt_fn
0 alive 10 app; 0 kthread 7 kworker/0:1; 0 seed 7 kthread state=1
0 run 10
2 wake 10 7; 2 run 7 cpu=1
2 work 7 10 100 queued=1
3 block 10 sys=0
8 wake 7 10
8 run 10
10 block 10
