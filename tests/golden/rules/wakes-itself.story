# One that wakes itself in its sleep cannot have: the records contradict each other.
0 window 0 10
0 alive 10 a
0 run 10
2 block 10
8 wake 10 10
8 run 10
10 block 10
