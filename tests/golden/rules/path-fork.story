# view: paths
# A child process that did not exist yet, or just did, when its parent began to wait is a child on the
# path; so is what it forks.
0 window 0 20
0 alive 10 sh; 0 run 10 cpu=0
2 fork 10 20; 2 new 10 20; 2.05 run 20 cpu=1; 2.08 block 10 sys=61 cpu=0
3 exec 20 make
6 fork 20 30; 6 new 20 30; 6.08 block 20 sys=61 cpu=1; 6.2 run 30 cpu=1; 6.5 exec 30 cc1
14 exit 30; 14 wake 30 20; 14 dead 30; 14 run 20 cpu=1
16 exit 20; 16 wake 20 10; 16 dead 20; 16 run 10 cpu=0
20 block 10 cpu=0
