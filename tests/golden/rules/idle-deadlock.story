# Threads that all wait at futexes are not idle: nothing tells that they wait for a job.
0 window 0 1000; 0 target 10; 0 alive 10 app; 0 alive 11 app 10; 0 run 10; 0 run 11 cpu=1; 1 block 10 sys=202 futex obj=4096; 1 block 11 sys=202 futex obj=8192 cpu=1
