# A waits for B, B for C: each nanosecond of A's arrives at who was busy in exactly that part of it.
# What B and C did before and after is none of A's.
0 window 0 20; 0 pipe 7
0 alive 10 A; 0 alive 20 B; 0 alive 30 C
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
4 block 20 sys=0 obj=7
6 block 10 sys=0 obj=7         # from here on B matters, and what it waits for
12 wake 30 20
13 run 20 cpu=1
16 wake 20 10
17 run 10 cpu=0
20 block 10; 20 block 20; 20 block 30
