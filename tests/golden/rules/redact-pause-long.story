# A process of user 1000 waits for processes of another user within a pause of the recorder. The redacted report
# contains how long they waited, and for which process.
# redact: 1000
0 window 0 40; 0 alive 10 shop uid=1000; 0 alive 20 secretd uid=33; 0 alive 30 helper uid=33; 0 pipe 5
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
22 seed 20 state=1 sys=0 obj=5
22 wake 30 20 paused slept_us=12000
24 seed 10 state=1 futex obj=4096 sys=202
24 wake 20 10 paused slept_us=16000
30 pause 5; 30.1 seed 10 ready; 30.2 seed 20 state=1; 30.3 seed 30 state=1
31 run 10 cpu=0
40 block 10
