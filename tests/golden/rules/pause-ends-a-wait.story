# A wait that ended in a pause of the recorder is known up to that pause: here from 2 on, throughout the pause from 5 to 15.
0 window 0 40; 0 alive 10 a; 0 alive 20 b; 0 pipe 5
0 run 10 cpu=0
2 block 10 sys=0 obj=5
15 pause 5; 15.1 seed 10 same state=1; 15.2 seed 20 state=1
35 pause 20; 35.1 seed 10 ready; 35.2 seed 20 state=1
36 run 10 cpu=0
40 block 10
