# One that has the CPU without a break becomes other programs: who waits for the CPU waits for each of them as long as
# it was that one. A new name that is the old one is no other program.
0 window 0 30
0 alive 10 a; 0 alive 20 sh
0 run 10
2 preempt 10 20
5 exec 20 chrt
6 exec 20 hog
7 exec 20 hog
25 preempt 20 10
30 block 10
