# Whose request was ahead in the queue: the one whose completion made room.
0 window 0 12; 0 drive 8:0 vda; 0 file 5 /own; 0 file 6 /others
0 alive 10 reader; 0 alive 20 backup
0 run 10; 0 run 20 cpu=1
1 disk issue 98 obj=6 op=write cpu=1
2 disk insert 99 obj=5
2 block 10 sys=0
8 disk complete 98 obj=6 op=write cpu=1
8 disk issue 99 obj=5
10 disk complete 99 obj=5
10 irq block 99 10
10 run 10
12 block 10
