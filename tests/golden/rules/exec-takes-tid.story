# A thread that is not its process's first one execs: it goes on under the first one's tid.
0 window 0 12
0 alive 10 java start=5; 0 alive 11 worker 10
0 run 10 cpu=0; 0 run 11 cpu=1
3 exit 10; 3 dead 10
5 exec 10 sh cpu=1 start=5     # 11, which is on that CPU
8 block 10 cpu=1
11 irq hard 0 10 cpu=1; 11 run 10 cpu=1
12 block 10
