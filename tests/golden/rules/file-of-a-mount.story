# A page is known by its inode, from the root of its file system on: /ibdata1. Another object of that file has the
# whole path. A file of another inode keeps its name, and so does a file that was renamed.
0 window 0 40; 0 drive 8:0 vda
0 file 5 /ibdata1 ino=7; 0 file 6 /var/lib/mysql/ibdata1 ino=7; 0 file 7 /undo1 ino=8; 0 file 8 /old/name ino=7
0 alive 10 db; 0 run 10
1 disk insert 99 obj=5 op=read; 1 disk issue 99 obj=5; 1 block 10 sys=0 obj=6 iowait; 11 disk complete 99; 11 irq block 99 10; 11 run 10
12 disk insert 98 obj=7 op=read; 12 disk issue 98 obj=7; 12 block 10 sys=0 obj=7 iowait; 20 disk complete 98; 20 irq block 98 10; 20 run 10
21 disk insert 97 obj=8 op=read; 21 disk issue 97 obj=8; 21 block 10 sys=0 obj=8 iowait; 27 disk complete 97; 27 irq block 97 10; 27 run 10
40 block 10 sys=7 u=0
