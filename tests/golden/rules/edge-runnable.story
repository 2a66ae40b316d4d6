# Still waiting for a CPU when the window ends: for the one it ran on last, as far as is known, which another has.
0 window 0 10
0 alive 10 a; 0 alive 20 b
0 run 10
2 to 10 20 sys=0
5 irq hard 0 10
