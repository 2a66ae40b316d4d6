# Direct I/O: its requests have no file, but the system call has.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /var/lib/db
0 alive 10 reader
0 run 10
1 disk issue 99
1 block 10 sys=0 obj=5 iowait  # read
8 disk complete 99
8 irq block 99 10
8 run 10
10 block 10
