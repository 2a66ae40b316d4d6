# A thread of a pool that another one woke, and that slept again within a two-hundredth of its sleep, had no job: after 0.49 ms, so the
# sleep until 101 is idle. After 0.51 ms it may have had one: the sleep until 201.49 is a wait for the thread that woke it.
0 window 0 310; 0 ustack 1 futex,take_job,main; 0 alive 10 app; 0 alive 11 giver 10; 0 alive 12 worker 10; 0 seed 10
0 run 11; 0 run 12 cpu=1
1 block 12 sys=202 futex u=1; 101 wake 11 12; 101 run 12 cpu=1; 101.49 block 12 sys=202 futex u=1
201.49 wake 11 12; 201.49 run 12 cpu=1; 202 block 12 sys=202 futex u=1
302 wake 11 12; 302 run 12 cpu=1
310 block 11; 310 block 12
