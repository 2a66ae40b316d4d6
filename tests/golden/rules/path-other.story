# view: paths
# Who was at work before the sleep began has a path of its own, from where it began to work (waits for
# the disk do not interrupt work) until it ended the sleep; that one is other path.
0 window 0 30; 0 drive 8:0 vda; 0 file 5 /data
0 alive 10 A; 0 alive 20 B
0 seed 20; 0 run 10 cpu=0
3 irq hard 0 20; 3 run 20 cpu=1
6 disk issue 99 obj=5 cpu=1; 6 block 20 sys=0 cpu=1; 9 disk complete 99; 9 irq block 99 20; 9 run 20 cpu=1
12 block 10 cpu=0
22 wake 20 10; 22 run 10 cpu=0; 25 block 20 cpu=1
30 block 10 cpu=0
