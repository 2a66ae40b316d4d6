# A loss that lies partly in the span counts whole: which of its records do is unknown.
0 window 10 20 0 end=40
0 alive 10 a
5 run 10 cpu=0
11 lost 8 cnt=100 kinds=8      # samples
24 block 10
22 lost 19 cnt=1000 kinds=8
40 run 10 cpu=0
