# A worker of the kernel goes from item to item without a rest. What it did before this one was queued
# was for others: until then it was waited for whoever queued it.
0 window 0 14; 0 kstack 100 other_work; 0 kstack 101 flush_fn
0 alive 10 app; 0 alive 20 other; 0 alive 30 giver; 0 kthread 7 kworker/u8:0
0 run 10 cpu=0; 0 run 30 cpu=1; 0 run 7 cpu=2
0 work 7 20 100
1 block 10 sys=74
5 work 7 30 101 queued=4
9 wake 7 10
10 work 7 20 100 queued=9
10 run 10 cpu=0
14 block 10
