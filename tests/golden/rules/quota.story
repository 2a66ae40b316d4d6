# The CPU quota of its cgroup is used up: it waits for that, and nobody took the CPU from it. So does
# one that is woken when there is none.
0 window 0 20; 0 cgroup 9 /user.slice/build
0 alive 10 a; 0 alive 20 b
0 run 10
2 preempt 10 20 throttled obj=9
9 to 20 10
10 block 10 sys=0
12 irq hard 0 10 throttled
18 run 10
20 block 10
