# A thread of which the first record says that it was interrupted has been on that CPU since the
# beginning, if nobody else was seen there.
0 window 0 10
0 alive 10 a
6 interrupt 8 from=5.9 cpu=1   # tid 0: of the idle task, on another CPU
7 sample 10
10 block 10
