# Time on CPUs is measured. The kernel's account divides it into user and system time; without an account, samples do;
# without samples, it is busy time. User, system and idle time do not include interrupts.
# util: --by-cpu
0 window 0 100
0 alive 10 app; 0 alive 20 sampled; 0 alive 30 neither; 0 kthread 7 kworker/0:1; 0 handler 8 eth0
0 cputime 0 steal=0; 100 cputime 0 steal=10000; 0 cputime 1 steal=0; 100 cputime 1 steal=0
0 account 10 user=5000 system=5000 begin
0 run 10 cpu=0
10 interrupt 8 from=8 cpu=0; 12 softirq 3 from=10 cpu=0
40 block 10 sys=0 cpu=0; 40 run 20 cpu=0
45 sample 20 u=1 cpu=0; 50 sample 20 k=2 u=1 cpu=0; 0 ustack 1 work; 0 kstack 2 do_read
60 block 20 sys=0 cpu=0; 60 run 30 cpu=0
70 block 30 sys=0 cpu=0; 70 run 7 cpu=0
75 block 7 kthread cpu=0
90 softirq 3 from=88 cpu=0
95 softirq 1 from=94 more=9 longest=0.3 cpu=0
100 account 10 user=29000 system=17000
