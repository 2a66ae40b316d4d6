# A request of which only the end was seen (a flush) began with the wait; one of which nothing was seen
# is the kernel's.
0 window 0 12; 0 drive 8:0 vda
0 alive 10 db
0 run 10
1 block 10 sys=74              # fsync
6 disk complete 98 bytes=0
6 irq block 98 10
6 run 10
7 block 10 sys=74
10 irq block 99 10
10 run 10
12 block 10
