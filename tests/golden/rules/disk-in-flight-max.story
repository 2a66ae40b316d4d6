# So many requests of one wait are compared: 64. The 40th newest keeps the disk active until 4; the
# oldest of 90, at the device until 8, is one too many, so that the wait is for a queue from then on.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /data
0 alive 10 reader
0 run 10
1 disk issue 1 obj=5
1 disk insert 2..50 obj=5
1 disk issue 51 obj=5
1 disk insert 52..90 obj=5
2 block 10 sys=0
4 disk complete 51 obj=5
8 disk complete 1 obj=5
8.5 disk issue 2..50 obj=5
8.5 disk issue 52..90 obj=5
9 disk complete 90 obj=5
9 irq block 90 10
9 run 10
10 block 10
