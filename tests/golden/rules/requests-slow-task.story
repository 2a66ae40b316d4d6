# If two activities of a task together make up most of the difference, the sentence names the task, also if the largest single cause
# belongs to another task: db computes for 0.8 ms and waits for the disk for 1 ms, cache computes for 1.63 ms. The server itself computes less.
# requests:
0 window 0 100 0; 0 target 10; 0 alive 10 server; 0 alive 20 db; 0 alive 30 cache; 0 drive 8:0 vda; 0 file 5 /var/lib/db
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232; 0.1 run 20 cpu=1; 0.2 block 20 sys=202 cpu=1; 0.1 run 30 cpu=2; 0.2 block 30 sys=202 cpu=2
1..32 ready 77 70; 1..32 irq net 77 10; 1..32 run 10; 1.75..32.75 send 10 77 70 bytes=5; 1.8..32.8 block 10 sys=232
40 ready 77 70; 40 irq net 77 10; 40 run 10; 40.02 wake 10 20; 40.02 run 20 cpu=1; 40.02 block 10 sys=202
40.82 disk insert 99 obj=5 cpu=1; 40.82 disk issue 99 obj=5 cpu=1; 40.82 block 20 sys=0 obj=5 state=2 iowait cpu=1
41.82 disk complete 99 obj=5; 41.82 irq block 99 20 cpu=1; 41.82 run 20 cpu=1; 41.82 wake 20 10 cpu=1; 41.82 run 10; 41.83 block 20 sys=202 cpu=1
41.83 wake 10 30; 41.83 run 30 cpu=2; 41.83 block 10 sys=202; 43.46 wake 30 10 cpu=2; 43.46 run 10; 43.47 block 30 sys=202 cpu=2
43.48 send 10 77 70 bytes=5; 43.6 block 10 sys=232
