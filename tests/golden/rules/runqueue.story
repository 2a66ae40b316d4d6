# Woken, it waits for a CPU: divided by who had the one it got. Nobody: that CPU was idle, and had to
# wake up.
0 window 0 20
0 alive 10 a; 0 alive 20 b; 0 alive 30 c
0 run 10
2 to 10 20 sys=0
4 irq hard 0 10
9 to 20 30
13 block 30
15 run 10
20 block 10
