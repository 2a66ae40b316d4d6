# A tid that is used again is another thread; the process's start time tells which one is meant.
0 window 0 20; 0 target 10 start=1002000000
0 alive 1 init; 1 run 1 cpu=1
2 fork 1 10; 2 exec 10 old start=1002000000; 2 run 10
5 exit 10; 5 dead 10
8 fork 1 10; 8 exec 10 new start=1008000000; 8 run 10
20 block 10
