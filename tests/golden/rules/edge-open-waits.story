# Waits that are open when the window ends: at least so long. A deliberate one is a sleep all the same,
# of any other nobody knows whom it is for.
0 window 0 10; 0 pipe 7
0 alive 10 a; 0 alive 11 b 10
0 run 10 cpu=0; 0 run 11 cpu=1
2 block 10 sys=0 obj=7
3 block 11 sys=35 sleep
