# A wait that the completion of a disk request ends is for that request: queued while it was inserted
# but not issued, active until it was done, the kernel's own after. The request names the file.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /var/lib/db
0 alive 10 reader
0 run 10
1 disk insert 99 obj=5
2 block 10 sys=17 iowait       # pread64
4 disk issue 99 obj=5
8 disk complete 99
8.5 irq block 99 10            # half a millisecond late
8.5 run 10
10 block 10
