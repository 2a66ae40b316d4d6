# If another thread made the request that ended the wait, that one alone counts: the waiter's own
# readahead, which is at the device all the time, does not.
0 window 0 12; 0 drive 8:0 vda; 0 file 5 /own; 0 file 6 /shared
0 alive 10 reader; 0 alive 20 other
0 run 10; 0 run 20 cpu=1
1 disk issue 98 obj=5
1 disk insert 99 obj=6 cpu=1
2 block 10 sys=0
6 disk issue 99 obj=6 cpu=1
9 disk complete 99 cpu=1
9 irq block 99 10
9 run 10
12 disk complete 98
12 block 10
