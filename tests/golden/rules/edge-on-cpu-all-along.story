# A thread of which the first record says that it leaves its CPU has been on it since the beginning, if
# nobody else was seen there.
0 window 0 10
0 alive 10 a; 0 alive 11 t 10; 0 alive 20 b
4 block 10 cpu=0
2 block 20 cpu=1; 6 block 11 cpu=1   # b was seen on t's CPU: t came after it
