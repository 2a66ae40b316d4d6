# Long waits that end within a pause of the recorder are known, with their wakers. a waits for b, which waits for c: both
# waits begin and end in the pause from 10 to 60. Later a waits from 65 on, and is woken in the pause from 70 to 90. Its
# last wait begins at 92, in the third pause, and ends at 103, after that pause.
0 window 0 120; 0 alive 10 a; 0 alive 20 b; 0 alive 30 c; 0 pipe 5; 0 pipe 6
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
45 seed 20 state=1 sys=0 obj=6
45 wake 30 20 paused slept_us=30000
50 seed 10 state=1 sys=0 obj=5
50 wake 20 10 paused slept_us=38000
60 pause 10; 60.1 seed 10 ready; 60.2 seed 20 state=1; 60.3 seed 30 state=1 sys=35 sleep
61 run 10 cpu=0
65 block 10 futex obj=4096 sys=202 u=5
80 wake 20 10 paused same slept_us=15000
90 pause 70; 90.1 seed 10 ready; 90.2 seed 20 state=1; 90.3 seed 30 same state=1
91 run 10 cpu=0
100 pause 91.5; 100.1 seed 10 state=1 sys=0 obj=5; 100.2 seed 20 ready; 100.3 seed 30 same state=1
101 run 20 cpu=1
103 wake 20 10 slept_us=11000
104 run 10 cpu=0
120 block 10
