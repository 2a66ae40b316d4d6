# It waits at the CPU it left while that is busy; once that is idle, it has moved to the one it gets.
0 window 0 12
0 alive 10 a; 0 alive 20 b; 0 alive 30 c
0 run 10 cpu=0; 0 run 30 cpu=1
2 preempt 10 20
5 block 20                     # CPU 0 is idle
10 to 30 10 cpu=1
12 block 10
