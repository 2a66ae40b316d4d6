# Metadata that a thread itself waits for is the disk's, whatever the system call is about.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /usr
0 alive 10 ls
0 run 10
1 disk issue 99 meta
1 block 10 sys=217 obj=5       # getdents64
8 disk complete 99
8 irq block 99 10
8 run 10
10 block 10
