# If a wait ends in a pause of the recorder, it is known up to the beginning of that pause. This wait begins at 2, lasts
# throughout the pause from 5 to 15, and ends in the pause from 20 to 35.
0 window 0 40; 0 alive 10 a; 0 alive 20 b; 0 pipe 5
0 run 10 cpu=0
2 block 10 sys=0 obj=5
15 pause 5; 15.1 seed 10 same state=1; 15.2 seed 20 state=1
35 pause 20; 35.1 seed 10 ready; 35.2 seed 20 state=1
36 run 10 cpu=0
40 block 10
