# In without a wakeup where records were lost: lost.
0 window 0 10
0 alive 10 a
0 run 10
2 block 10
6 lost 5
8 run 10
10 block 10
