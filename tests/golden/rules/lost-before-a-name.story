# A loss of TASK records counts if a thread still has a name from before it: it may run another program by now.
0 window 10 20 0 end=40
0 alive 10 a
4 lost 2 cnt=100 kinds=1024
5 run 10 cpu=0
15 block 10
40 run 10 cpu=0
