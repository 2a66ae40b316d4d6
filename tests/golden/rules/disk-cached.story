# A read through the page cache: a kernel worker is told of the completion, and wakes the reader when
# it has worked on the data. The reader's wait is the worker's, and so the disk's.
0 window 0 12; 0 drive 8:0 vda; 0 file 5 /etc/services
0 alive 10 reader; 0 kthread 7 kworker/0:1; 0 seed 7 kthread
0 run 10
1 disk insert 99 obj=5; 1 disk issue 99 obj=5
2 block 10 sys=0
8 disk complete 99
8 irq block 99 7
8 run 7                        # decrypts
9 wake 7 10
9 to 7 10 kthread
12 block 10
