# view: paths
# Threads of the kernel always fit: of them only the work at hand counts.
0 window 0 20
0 alive 10 A; 0 kthread 7 jbd2/vda1-8
0 run 7 cpu=1; 0 run 10 cpu=0
6 block 10 sys=74 cpu=0
14 wake 7 10; 14 run 10 cpu=0
20 block 10 cpu=0
