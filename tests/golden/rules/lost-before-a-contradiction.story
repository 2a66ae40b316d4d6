# That a woke up was lost before the span. Its state is unknown until it is found on a CPU, and this is due to the loss.
0 window 10 20 0 end=40
0 alive 10 a; 0 alive 20 b; 0 run 20 cpu=1
1 run 10 cpu=0
2 block 10
8 lost 6 cnt=100
15 block 10 cpu=0
16 wake 20 10; 17 run 10 cpu=0
40 block 10
