# view: io
# Requests without a file that one wait was for are named after its call: 64 of them, newest first. Of
# 90 the first 26 began too long ago.
0 window 0 10; 0 drive 8:0 vda; 0 file 5 /data
0 alive 10 reader
0 run 10
1 disk insert 1..90
2 block 10 sys=17 obj=5
4 disk issue 1..90
9 disk complete 90
9 irq block 90 10
9 run 10
10 block 10
