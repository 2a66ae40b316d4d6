# Asked for more than was recorded: what was before is not known.
0 window 0 10 4
0 alive 10 a
4 run 10
10 block 10
