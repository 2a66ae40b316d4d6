# Blocked outside any system call: a page fault.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /usr/lib/libbig.so
0 alive 10 a
0 run 10
1 disk issue 99 obj=5
2 block 10 fault
8 disk complete 99 obj=5
8 irq block 99 10
8 run 10
10 block 10
