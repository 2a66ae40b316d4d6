# A loss of samples alone takes nothing from what is known, and excuses nothing.
0 window 0 10
0 alive 10 a
0 run 10
2 block 10
6 lost 5 kinds=8               # 1 << RSP_EV_SAMPLE
8 run 10
10 block 10
