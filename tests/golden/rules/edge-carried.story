# Of waits still open, records older than the window are kept: it tells what a thread waits for, and
# the wait is counted from the window's beginning.
0 window 10 20 10
0 alive 10 a; 0 alive 20 b
3 block 10 sys=0
10 run 20 cpu=1
15 wake 20 10
15 run 10
20 block 10
