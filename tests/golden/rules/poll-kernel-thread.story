# PREEMPT_RT: kernel threads run timers (ktimers) and softirqs (ksoftirqd). An interrupt wakes them in the name of the
# thread that it interrupts. A poll is never for one of them, and a glance in which one is woken is still a glance.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 kthread 17 ksoftirqd/0; 0 kthread 18 ktimers/0
0 seed 17 kthread state=1; 0 seed 18 kthread state=1; 0 run 10 cpu=0
1 fork 10 20; 1 new 10 20; 1 exec 20 worker; 1 run 20 cpu=1
1.5 wake 10 18 cpu=0
2 to 10 18 sys=7 timeout u=1; 2.01 block 18 kthread
7 wake 0 18 cpu=0; 7 run 18 cpu=0; 7.01 irq timer 0 10 tid=18 cpu=0; 7.02 to 18 10 kthread
7.05 wake 10 17 cpu=0; 7.08 to 10 17 sys=7 timeout u=1; 7.09 block 17 kthread
10 exit 20; 10 dead 20
12 wake 0 18 cpu=0; 12 run 18 cpu=0; 12.01 irq timer 0 10 tid=18 cpu=0; 12.02 to 18 10 kthread
20 block 10
