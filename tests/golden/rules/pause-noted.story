# A snapshot within a pause notes the states of threads, and the pause goes on. Thread 10 sleeps throughout. Thread 20
# wakes up after the note, so its time from the note on is unknown.
0 window 0 100
0 alive 10 a; 0 alive 20 a 10
0 run 10 cpu=0; 0 run 20 cpu=1
4 block 10 sys=35 sleep; 5 block 20 sys=35 sleep
50 pause 10; 50 shed 0 step=5
50.1 seed 10 same state=1; 50.2 seed 20 same state=1
90 pause 50.5; 90 shed 50 step=5
90.1 seed 10 same state=1; 90.2 seed 20 state=1 sys=35 sleep
