# A wakeup may overtake the switch it belongs to, by up to 10 ms: the thread was never blocked. Of one
# longer ago (15 ms) nothing is believed.
0 window 0 40
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0; 0 run 20 cpu=1
2 wake 20 10
10 block 10 sys=0              # 8 ms later
12 run 10
15 wake 20 10
30 block 10 sys=0              # 15 ms later
35 run 10
40 block 10
