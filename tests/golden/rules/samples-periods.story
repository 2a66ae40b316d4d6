# The sampling clock slows down in the middle of a run: what was sampled at 1 ms has a quarter of what was
# sampled at 4 ms. The short runs are told in the same shares.
0 window 0 14
0 ustack 1 first,main; 0 ustack 2 second,main
0 alive 10 a; 0 run 10
1 sample 10 u=1 us=1000; 2 sample 10 u=1 us=1000; 3 sample 10 u=1 us=1000; 4 sample 10 u=1 us=1000
8 sample 10 u=2 us=4000
8 block 10; 9 irq hard 0 10; 9 run 10
10 block 10; 11 irq hard 0 10; 11 run 10
12 block 10; 14 irq hard 0 10
