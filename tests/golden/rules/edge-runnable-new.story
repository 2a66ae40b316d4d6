# One that has not run yet waits for a CPU; for which, nobody knows.
0 window 0 10
0 alive 10 a
0 run 10
4 fork 10 20; 4 new 10 20
10 block 10
0 target 20
