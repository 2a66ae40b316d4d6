# An event loop that waits for data from another program of its pipeline is not idle: it waits for that program.
0 window 0 1000; 0 target 10; 0 alive 9 sh; 0 anon 6 [eventpoll]; 0 fork 9 10; 0 exec 10 node; 0 fork 9 11; 0 exec 11 make
1 run 10; 2 block 10 sys=232 obj=6; 1 run 11 cpu=1; 1 new 9 10
600 wake 11 10; 600 run 10; 601 block 10 sys=232 obj=6; 900 wake 11 10; 900 run 10; 901 block 10 sys=232 obj=6
