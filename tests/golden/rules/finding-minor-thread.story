# Threads with less than a tenth of what the longest one has neither count nor have their names told: the ticker
# computes for 1 ms, beside the 20 ms of the worker, and waits at the end for 1 ms, beside its 20 ms.
0 window 0 41
0 alive 10 app; 0 alive 11 worker 10; 0 alive 12 ticker 10; 0 alive 20 other; 0 seed 10 sys=202 futex
0 run 11; 0 run 20 cpu=1
21 block 11 sys=0
38 wake 20 12; 39 run 12 cpu=1; 40 block 12 sys=0 cpu=1
41 block 20 cpu=1
