# The same for one that waits idle (TASK_IDLE: uninterruptible, but no load).
0 window 0 12
0 alive 10 app; 0 alive 30 giver; 0 kthread 7 xfsaild/vda1
0 run 10 cpu=0; 0 run 30 cpu=1; 0 run 7 cpu=2
1 block 10 sys=0
3 block 7 kthread state=1026
8 wake 30 7
8 run 7 cpu=2
10 wake 7 10
10 run 10 cpu=0
12 block 10
