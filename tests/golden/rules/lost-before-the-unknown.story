# A loss before the span counts if a thread of the report has no state yet at its beginning: this may be due to the loss.
0 window 10 20 0 end=40
0 alive 10 a; 0 alive 20 b
4 lost 3 cnt=100 kinds=2
5 run 10 cpu=0
12 block 10
14 run 20 cpu=1; 16 wake 20 10; 16 run 10 cpu=0
22 block 10; 22 block 20
