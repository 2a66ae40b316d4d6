# The kernel slows a writer down in balance_dirty_pages(). RSP looks for this function among the 24 innermost frames, so the first sleep has
# this reason, and the second, where it is the 25th frame, is a timeout.
0 window 0 30; 0 alive 10 writer; 0 run 10
0 kstack 1 f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,f22,f23,balance_dirty_pages,vfs_write; 0 kstack 2 f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,f22,f23,f24,balance_dirty_pages,vfs_write
1 block 10 sys=1 timeout k=1; 11 irq timer 0 10; 11 run 10
12 block 10 sys=1 timeout k=2; 27 irq timer 0 10; 27 run 10
30 block 10
