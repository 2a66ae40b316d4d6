# Waited for one of which nothing else is known: it was in a state that began before the window.
0 window 0 10
0 alive 10 a; 0 alive 20 b
0 run 10 cpu=0; 0 run 20 cpu=1
1 block 20 cpu=1
2 block 10
8 wake 99 10 cpu=1             # came in there unseen
8 run 10 cpu=0
10 block 10
