# Five thousand processes. Each process wakes the next one, and then does nothing.
0 window 0 5100; 0 target 100; 0 alive 100..5099 worker
0 seed 101..5099
0 run 100 cpu=0
1..4999 wake 100..5098 101..5099 cpu=0
1..4999 to 100..5098 101..5099 cpu=0
5050 wake 5099 100 cpu=0; 5050 to 5099 100; 5100 block 100 cpu=0
