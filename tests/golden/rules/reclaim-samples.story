# A sample that fell into reclaim tells nothing of what the thread did before and after it, nor does a sample of
# its work tell of reclaim.
0 window 0 20; 0 ustack 1 read,main; 0 ustack 2 sum,main; 0 kstack 100 shrink_lruvec
0 alive 10 app; 0 run 10
2 sample 10 u=2
4 sample 10 u=1 k=100; 5 reclaim 10 3
6 reclaim 10 5.5
7 block 10 sys=0 u=1; 8 irq timer 0 10; 8 run 10
9 sample 10 u=1 k=100; 10 reclaim 10 8
12 block 10 sys=0 u=1
