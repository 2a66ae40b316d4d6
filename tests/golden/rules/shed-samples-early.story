# Older recorders left samples out before the stacks of those who block, and said so in records without flag 0.
2 window 2 12
2 alive 10 a
2 run 10 cpu=0
3 shed 0 step=1 flags=0
8 shed 4 step=2 flags=0 budget=2000
10 block 10
13 shed 11 step=1 budget=2000
