# Chains are merged if program, call, object and functions of each hop are the same; pids are not.
0 window 0 10
0 alive 10 make; 0 run 10
1 fork 10 11; 1 to 10 11 sys=61; 1 exec 11 cc1
4 exit 11; 4 wake 11 10; 4 dead 11; 4 run 10
5 fork 10 12; 5 to 10 12 sys=61; 5 exec 12 cc1
9 exit 12; 9 wake 12 10; 9 dead 12; 9 run 10
10 block 10
