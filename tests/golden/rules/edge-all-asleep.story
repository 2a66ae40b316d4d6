# Nobody of the process was awake: the main thread is explained. Idle threads are counted only.
0 window 0 10; 0 pipe 7
0 alive 10 a; 0 alive 11 t 10
0 seed 10 sys=0 obj=7
0 seed 11
5 run 20; 6 block 20           # someone else
