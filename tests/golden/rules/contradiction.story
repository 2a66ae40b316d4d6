# In without a wakeup where nothing was lost: the records contradict each other, nothing is guessed.
0 window 0 10
0 alive 10 a
0 run 10
2 block 10
8 run 10
10 block 10
