# view: irq
# Interrupts by handler: how often, how long, whom they found, whom they woke. One within another claims
# its own wakeups.
0 window 0 10; 0 handler 8 eth0
0 alive 10 a; 0 alive 20 b; 0 alive 30 c; 0 alive 40 d
0 run 10 cpu=0; 0 run 20 cpu=1
0 seed 30; 0 seed 40
1.6 irq soft 3 30 cpu=0        # of the softirq that began at 1
1.8 irq hard 8 40 cpu=0        # of the interrupt in it
1.9 interrupt 8 from=1.7 cpu=0
2 softirq 3 from=1 cpu=0
5 interrupt 8 from=4.5 cpu=1
6 interrupt 0 vector=17 from=5.9 cpu=1
10 block 10
