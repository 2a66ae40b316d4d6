# A loss before the span counts if a state lasts from before it into the span: a may have slept and woken meanwhile.
0 window 10 20 0 end=40
0 alive 10 a
5 run 10 cpu=0
8 lost 7 cnt=100 kinds=2 cpu=1
15 block 10
40 run 10 cpu=0
