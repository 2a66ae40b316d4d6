# The census contains threads 11 and 12, but does not show that they sleep, so they are not blocked. Thread 11 gets the
# CPU of thread 20 at 8: it has waited for a CPU since the recording began, and make waits for it. Thread 12 gets an idle
# CPU at 3. A thread does not wait while a CPU is idle, so the state of 12 before that is unknown.
0 window 0 20
0 alive 10 make; 0 alive 11 cc1; 0 alive 12 as; 0 alive 20 hog
0 run 20; 0.1 run 10 cpu=1; 0.2 block 10 cpu=1 sys=61
3 run 12 cpu=2; 4 block 12 cpu=2
8 preempt 20 11
15 wake 11 10 cpu=0; 15 run 10 cpu=1; 16 block 11
20 block 10
