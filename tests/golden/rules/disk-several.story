# Several requests in flight: the wait is active while the disk works at any of them, queued while all
# of them are, the kernel's while none is. What was done before the wait is no part of it.
0 window 0 20; 0 drive 8:0 vda; 0 file 5 /data
0 alive 10 reader
0 run 10
0 disk issue 97 obj=5; 1 disk complete 97 obj=5
1 disk insert 98 obj=5; 1 disk insert 99 obj=5
2 block 10 sys=0
3 disk issue 98 obj=5
8 disk complete 98 obj=5
10 disk issue 99 obj=5
15 disk complete 99 obj=5
15 irq block 99 10
16 run 10
20 block 10
