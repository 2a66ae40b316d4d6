# Who queued the item may be gone when a worker begins with it: it is followed all the same.
0 window 0 14
0 alive 10 app; 0 alive 30 giver; 0 kthread 7 kworker/u8:0
0 kstack 101 flush_to_ldisc
0 run 10 cpu=0; 0 run 30 cpu=1; 0 run 7 cpu=2
1 block 10 sys=74
4 exit 30; 4.5 dead 30
5 work 7 30 101 queued=3
9 wake 7 10; 9 run 10 cpu=0
14 block 10
