# A tid that is used again is another thread, also when nobody saw its birth: it did not live before the other one had died.
0 window 0 20; 0 target 10 start=1002000000
0 alive 1 init; 1 run 1 cpu=1
2 fork 1 10; 2 exec 10 old start=1002000000; 2 run 10
5 exit 10; 5 dead 10
9 run 10; 9 exec 10 new start=1008000000
20 block 10
