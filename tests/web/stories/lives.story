# Two processes have the process ID 10, one after the other. The first one is the process of
# interest. It executes another program twice, in the middle of a run. The birth of the second
# process was not recorded. The fourth CPU is always idle.
0 window 0 20; 0 target 10 start=1002000000
0 alive 1 init; 0 alive 2 idler; 1 run 1 cpu=1; 1 run 2 cpu=2
2 fork 1 10; 2 exec 10 first start=1002000000; 2 run 10 cpu=0
3 exec 10 second cpu=0 start=1002000000; 4 exec 10 third cpu=0 start=1002000000
5 exit 10; 5 dead 10 cpu=0
9 run 10 cpu=0; 9 exec 10 other start=1008000000 cpu=0
20 block 10 cpu=0
