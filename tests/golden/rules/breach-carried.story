# Seen in passing before anything saw switches, then found asleep: asleep it was.
0 window 10 20 0; 0 alive 10 main
1 interrupt 8 from=0.9 tid=7
2 kthread 7 ksoftirqd/0; 3 seed 7 kthread
11 run 10; 12 wake 10 7; 12.5 to 10 7 sys=1; 14 wake 7 10; 14.5 to 7 10 kthread; 20 block 10
