# Nobody was seen to end these waits. Where the kernel says that the thread waits for I/O, and a request of its own is
# under way, it was the disk's, up to when it may have ended. Not where it waits for something else meanwhile,
# where its request is done, where the request is another's, or where there is none.
0 window 0 60; 0 drive 8:0 vda; 0 file 5 /data
0 alive 10 reader; 0 alive 20 other; 0 alive 30 third; 0 run 10; 0 run 20 cpu=1
1 disk insert 90 obj=5; 1 block 10 sys=0 iowait; 2 disk issue 90; 6 run 10        # its own
7 disk complete 90
8 disk issue 91 obj=5; 9 block 10 sys=0; 14 run 10                                # not said to be I/O
15 disk complete 91
16 disk issue 92 obj=5; 17 disk complete 92; 18 block 10 sys=0 iowait; 24 run 10  # done
25 disk issue 93 obj=5 cpu=1; 26 block 10 sys=0 iowait; 33 run 10                 # the other's
34 disk complete 93 cpu=1
35 block 10 sys=0 iowait; 43 run 10                                               # none
44 disk issue 94 obj=5; 45 block 10 sys=0 iowait; 46 run 30; 54 block 30
55 block 10 cpu=0                                                                 # seen again after 54
60 block 20 cpu=1
