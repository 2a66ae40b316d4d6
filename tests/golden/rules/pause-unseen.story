# In a pause the recorder does not distinguish interrupts, except those of devices. A deliberate sleep is then taken to
# end by its timer. Nobody knows what ended the wait for the pipe.
0 window 0 100; 0 alive 10 a; 0 pipe 5; 0 file 7 /data
0 run 10 cpu=0
30 seed 10 state=1 sys=35 sleep
30 irq unseen 0 10 paused slept_us=20000
50 seed 10 state=1 sys=0 obj=5
50 irq unseen 0 10 paused slept_us=15000
80 pause 5; 80.1 seed 10 ready
81 run 10 cpu=0
100 block 10
