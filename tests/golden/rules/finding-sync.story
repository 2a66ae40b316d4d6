# What a sync takes, whoever carries it out, is told together; that its caller then waits for a CPU is
# told apart, with who had it.
0 window 0 30; 0 drive 8:0 sda; 0 file 5 /var/lib/x.db
0 alive 10 db; 0 alive 30 hog; 0 run 10
2 block 10 sys=75 obj=5; 2 disk insert 99 obj=5 tid=10 dev=8:0; 2 disk issue 99 obj=5 tid=10 dev=8:0
3 run 30
12 disk complete 99 dev=8:0; 12 irq block 99 10
20 to 30 10
30 block 10
