# Before a waker was born its parent explains the time, unless that one is who waits: asleep it cannot
# have forked.
0 window 0 10
0 alive 10 a
0 run 10 cpu=0
2 block 10
5 fork 10 20; 5 run 20 cpu=1
8 wake 20 10; 8 run 10 cpu=0
10 block 10
