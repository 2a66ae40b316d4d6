# Numbers in names of kernel threads are chance; in names of others, and of disks, they are not.
0 window 0 10
0 alive 10 a; 0 kthread 7 kworker/0:1; 0 kthread 8 kworker/u8:2; 0 kthread 9 kworker/1:0H
0 kthread 6 jbd2/sda1-8; 0 alive 5 job/1
0 run 10
1 preempt 10 7; 2 preempt 7 10
3 preempt 10 8; 4 preempt 8 10
5 preempt 10 9; 6 preempt 9 10
7 preempt 10 6; 8 preempt 6 5
9 preempt 5 10
10 block 10
