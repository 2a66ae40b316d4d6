# What the I/O limit of a cgroup held back, a worker of the kernel makes a request of when the limit
# allows it. Until then the wait is for the limit; a flush, of which only the end is seen, is at the
# device from then on. A request without a limit is not throttled, however long it takes.
0 window 0 40; 0 drive 8:0 vda; 0 file 5 /var/lib/db; 0 cgroup 9 /db.slice
0 alive 10 db; 0 kthread 7 kworker/0:1
0 run 10
1 block 10 sys=75 obj=5 iowait     # fdatasync
10 run 7
10 disk insert 99 obj=5 op=write; 10.1 held 99 9.9 9
10.5 disk issue 99 obj=5 op=write
11 block 7 kthread state=1026
12 disk complete 99
12 irq block 99 10
12 run 10
13 block 10 sys=75 obj=5 iowait
22 disk complete 98 bytes=0; 22.1 held 98 20 9
22.2 irq block 98 10
22.5 run 10
23 disk issue 97 obj=5
23 block 10 sys=0 obj=5 iowait
38 disk complete 97
38 irq block 97 10
38 run 10
40 block 10
