# What it polled for was done before it had a CPU again to see so, though not when the last of its
# timeouts expired: nothing was late, and all of it was a wait for the worker.
0 window 0 24; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 30 hog; 0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
2 block 10 sys=7 timeout u=1; 3 run 30
7 irq timer 0 10; 7 to 30 10; 7.02 to 10 30 sys=7 timeout u=1
12 irq timer 0 10
16 exit 20; 16 dead 20
18 to 30 10
24 block 10
