# fsync waits for the journal's thread, that one for the disk: metadata is the disk's, not a file's.
0 window 0 12; 0 drive 8:0 vda; 0 file 5 /var/mail/joe
0 alive 10 maild; 0 kthread 7 jbd2/vda1-8; 0 seed 7 kthread state=1
0 run 10
2 wake 10 7
2 to 10 7 sys=74 obj=5         # fsync
3 disk insert 99 op=write meta sync; 3 disk issue 99 op=write meta sync
3 block 7 kthread state=2 obj=5
9 disk complete 99
9 irq block 99 7
9 run 7
10 wake 7 10
10 to 7 10 kthread
12 block 10
