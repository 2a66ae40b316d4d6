# Both a user and the budget pause the recorder: the report names both reasons.
0 window 0 100
0 alive 10 a
0 run 10 cpu=0
30 pause 10; 30 shed 0 step=5
30.1 seed 10 ready
80 pause 50 requested
80.1 seed 10 ready
90 run 10 cpu=0
