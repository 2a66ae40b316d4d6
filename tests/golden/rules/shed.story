# What was left out to stay within the recorder's budget is told, as far as it is of this span. A step includes those before it.
2 window 2 12
2 alive 10 a
2 run 10 cpu=0
3 shed 0 step=1
8 shed 4 step=3 budget=2000
10 block 10
13 shed 11 step=1 budget=2000
