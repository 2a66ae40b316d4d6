# A loss before the span does not count for a kernel thread that waited for work all the while: one such wait is like another.
0 window 10 20 0 end=40
0 alive 10 a; 0 alive 20 b; 0 kthread 7 kworker/0:1
1 run 7 cpu=1; 2 block 7 kthread
4 lost 3 cnt=100 kinds=2
5 run 10 cpu=0; 6 run 20 cpu=1
12 block 10
14 wake 20 7; 14 to 20 7 cpu=1
16 wake 7 10; 16 run 10 cpu=0; 16 block 7 kthread
22 block 10
