# A kernel thread is followed for its present work only. What it did before it last waited for work was
# for others: that part of the wait is for whoever gave it the work.
0 window 0 14
0 alive 10 app; 0 alive 20 other; 0 alive 30 giver; 0 kthread 7 kworker/0:1
0 run 10 cpu=0; 0 run 30 cpu=1; 0 run 7 cpu=2
1 block 10 sys=0
4 block 7 kthread state=1      # until here it worked for someone else
9 wake 30 7
9 run 7 cpu=2
10 block 7 kthread state=2     # uninterruptible: the same work
11 irq hard 0 7 cpu=2
11 run 7 cpu=2
12 wake 7 10
12 run 10 cpu=0
14 block 10
