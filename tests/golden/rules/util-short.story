# Processes of one name that began or ended within the span are one row. Processes that lived all the time have a row each,
# and so has the process of interest, make.
# util:
0 window 0 100
0 target 10
0 alive 10 make; 0 alive 20 nginx; 0 alive 21 nginx; 0 alive 30 cc1
0 seed 20 sys=232; 0 seed 21 sys=232
0 run 10 cpu=0
5 run 30 cpu=1; 15 exit 30; 15 dead 30
20 fork 10 11; 20 run 11 cpu=1; 22 exec 11 cc1; 40 exit 11; 40 dead 11
50 fork 10 12; 50 run 12 cpu=1; 52 exec 12 cc1; 90 exit 12; 90 dead 12
60 fork 10 13; 60 run 13 cpu=2; 61 exec 13 as; 70 exit 13; 70 dead 13
100 block 10 sys=61 cpu=0
