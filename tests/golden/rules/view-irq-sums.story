# view: irq
# Short softirqs are recorded as sums. A packet that wakes a thread within such a sum belongs to the sum of NET_RX, whatever other sums
# end before it.
0 window 0 10; 0 alive 10 a; 0 alive 30 c; 0 alive 40 d; 0 run 10; 0 seed 30; 0 seed 40
1.6 irq net 77 30; 1.7 irq soft 3 40
1.8 softirq 1 from=1.79 more=4 longest=0.009
1.9 softirq 6 from=1.89 more=4 longest=0.009
2 softirq 3 from=1.99 more=4 longest=0.009
10 block 10
