# One event: a thread leaves a CPU.
0 window 0 100
0 alive 10 lonely
50 block 10 cpu=0
