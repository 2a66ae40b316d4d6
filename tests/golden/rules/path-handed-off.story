# view: paths
# Handed off: what threads that the process made or woke did until they slept, if nobody waited for it.
0 window 0 20
0 alive 10 A; 0 alive 20 logger; 0 seed 20; 0 run 10 cpu=0
2 wake 10 20; 2 run 20 cpu=1; 6 block 20 cpu=1
8 fork 10 30; 8 new 10 30; 8 exec 30 helper; 8 run 30 cpu=2; 13 exit 30; 13 dead 30
15 irq hard 0 20; 15 run 20 cpu=1; 17 block 20 cpu=1       # not for A
20 block 10 cpu=0
