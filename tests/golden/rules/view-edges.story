# view: edges
# Who made whom runnable, in which context. Those that came second, or to one awake, did not end a wait.
0 window 0 20; 0 drive 8:0 vda; 0 handler 8 ttyS0; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80
0 alive 10 a; 0 alive 20 first; 0 alive 30 second
0 run 10 cpu=0; 0 run 20 cpu=1; 0 run 30 cpu=2
1 block 10; 4 wake 20 10; 4.5 wake 30 10; 5 run 10 cpu=0
6 wake 20 10                   # awake
7 disk issue 99; 7 block 10 sys=0; 9 disk complete 99; 9 irq block 99 10; 9 run 10 cpu=0
10 block 10 sys=0 obj=70; 12 ready 77 70; 12 irq net 77 10; 12 run 10 cpu=0
13 block 10 sys=7 timeout; 14 irq timer 0 10; 14 run 10 cpu=0
15 block 10; 18 irq hard 8 10; 18 run 10 cpu=0
20 block 10
