# view: io
# Requests by file, disk, program and direction. One without a file is told by the call that waited for
# it, metadata is the disk's; what the process waited for is told apart.
0 window 0 20; 0 drive 8:0 vda; 0 drive 8:16 vdb; 0 file 5 /var/lib/db; 0 file 6 /backup
0 alive 10 db; 0 alive 20 backup
0 run 10; 0 run 20 cpu=1
1 disk insert 90 bytes=8192;          1 block 10 sys=17 obj=5      # direct: the call names the file
2 disk issue 90 bytes=8192; 5 disk complete 90 bytes=8192; 5 irq block 90 10; 5 run 10
6 disk issue 91 op=write obj=5;       7 disk complete 91 op=write  # nobody waited
8 disk issue 92 meta;                 9 disk complete 92
8 disk issue 93 op=write obj=6 dev=8:16 cpu=1; 8 block 20 sys=74 obj=6
12 disk complete 93 op=write obj=6 dev=8:16; 12 irq block 93 20; 12 run 20 cpu=1
13 disk issue 94 op=write bytes=0 preflush; 14 disk complete 94 op=write bytes=0
15 disk issue 95 op=flush bytes=0;    16 disk complete 95 op=flush bytes=0
15 disk issue 96 op=discard;          16 disk complete 96 op=discard
17 disk issue 97 op=128;              18 disk complete 97 op=128
20 block 10; 20 block 20
