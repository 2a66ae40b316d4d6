# A thread that wants memory frees some first: it runs, and waits for the disk meanwhile. All of that is
# for want of memory, and so is what it costs those who wait for the thread.
0 window 0 40; 0 drive 8:0 vda; 0 file 5 /data; 0 cgroup 9 /app.slice; 0 pipe 6
0 alive 10 shop; 0 alive 20 db
0 run 20 cpu=1; 0 run 10
1 block 10 sys=0 obj=6
10 disk issue 99 obj=5 op=write cpu=1
10 block 20 fault cpu=1
18 disk complete 99 cpu=1
18 irq block 99 20 cpu=1; 18 run 20 cpu=1
20 reclaim 20 5 obj=9
30 wake 20 10
30 run 10
32 reclaim 10 31
40 block 10
