# Older than the span are states only; one that later records show to be out of date is dropped.
0 window 5 20 5
0 alive 10 a
1 to 20 10                     # a came in here, but
8 block 30 cpu=0               # someone else is found there
9 run 10 cpu=1
20 block 10
