# A calls B, B calls C, C calls A: A answers in the midst of its own wait. Its first wait was for C then,
# and what C waited for; the second for B, in that part only which is left of it.
0 window 0 20; 0 pipe 7
0 alive 10 A; 0 alive 20 B; 0 alive 30 C
0 run 10 cpu=0; 0 seed 20; 0 seed 30
2 wake 10 20; 2 run 20 cpu=1; 3 block 10 sys=0 obj=7
5 wake 20 30; 5 run 30 cpu=2; 6 block 20 sys=0 obj=7
8 wake 30 10; 8 run 10 cpu=0; 9 block 30 sys=0 obj=7     # C calls A
11 wake 10 30; 11 run 30 cpu=2; 12 block 10 sys=0 obj=7  # and A answers it
14 wake 30 20; 14 run 20 cpu=1; 15 block 30
17 wake 20 10; 17 run 10 cpu=0; 18 block 20
20 block 10
