# The cgroup freezer stops threads in a sleep of its own, state 0x8000: by no fault, wherever it stopped them. Who
# thaws them is no cause, but named. One that only sleeps in a freezable way (state 0x2001) waits for who wakes it.
0 window 0 40; 0 alive 10 client; 0 alive 20 server; 0 alive 30 runc
0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2
2 block 10 sys=0 state=0x2001; 5 block 20 fault state=0x8000 cpu=1
30 wake 30 20 cpu=2; 30 run 20 cpu=1; 31 wake 20 10 cpu=1; 31 run 10
32 block 10 sys=7 state=0xa001; 38 wake 30 10 cpu=2; 38 run 10; 40 block 10
