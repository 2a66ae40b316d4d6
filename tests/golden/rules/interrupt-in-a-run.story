# An interrupt does not end a run: what goes on in the thread before and after is one piece of its path.
0 window 0 10; 0 handler 8 eth0
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0; 0 run 20 cpu=1
2 block 10
5 interrupt 8 from=4.5 cpu=1
5.5 softirq 3 from=5 cpu=1
8 wake 20 10
8 run 10 cpu=0
10 block 10
