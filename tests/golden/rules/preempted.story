# Put off its CPU: by whom, and who had it after. Turns in a row of one program are one.
0 window 0 20
0 alive 10 a; 0 alive 20 b; 0 alive 21 b; 0 alive 30 c
0 run 10
2 preempt 10 20
5 preempt 20 21
9 preempt 21 30
16 preempt 30 10
20 block 10
