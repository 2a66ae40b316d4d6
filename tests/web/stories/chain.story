# A browser waits for a server, the server waits for a database, and the database reads from the
# disk. Then the browser waits for another host. Each of the 200 ms has exactly one cause.
0 window 0 200
0 alive 10 browser; 0 alive 20 server; 0 alive 21 server-idle 20; 0 alive 30 database; 0 alive 40 hog
0 drive 8:0 vda; 0 file 5 /var/lib/db/table; 0 unix 6 /run/server; 0 unix 7 /run/database
0 socket 70 77 10.0.0.1:5000 192.0.2.9:443
0 kstack 101 schedule,unix_stream_read_generic,do_syscall_64
0 kstack 102 schedule,folio_wait_bit_common,do_syscall_64
0 kstack 103 schedule,tcp_recvmsg,do_syscall_64
0 kstack 104 try_to_wake_up,unix_stream_sendmsg,do_syscall_64
0 ustack 1 read,wait_answer,load_page,main@browser
0 ustack 2 render,load_page,main@browser
0 ustack 3 recv,fetch,load_page,main@browser
0 ustack 4 read,query,serve,main@server
0 ustack 5 compose,serve,main@server
0 ustack 6 pread,scan_table,answer,main@database
0 ustack 7 sort_rows,answer,main@database
0 ustack 8 write,reply,serve,main@server
0 ustack 9 burn,main@hog
0 seed 20; 0 seed 21; 0 seed 30; 0 run 10 cpu=0; 0 run 40 cpu=3
2 sample 10 u=2; 7 sample 10 u=2; 20 sample 40 u=9; 120 sample 40 u=9
10 wake 10 20 u=1 k=104; 10 run 20 cpu=1; 10 block 10 cpu=0 sys=0 obj=6 u=1 k=101
14 sample 20 u=5
20 wake 20 30 u=4 k=104; 20 run 30 cpu=2; 20 block 20 cpu=1 sys=0 obj=7 u=4 k=101
25 sample 30 u=7
30 disk insert 99 obj=5 cpu=2 bytes=65536; 30 block 30 cpu=2 sys=17 u=6 k=102 iowait
35 disk issue 99 obj=5 cpu=2
70 disk complete 99 cpu=2; 70 irq block 99 30 cpu=2; 70 run 30 cpu=2
75 wake 30 20 cpu=2 u=7 k=104; 75 run 20 cpu=1; 75 block 30 cpu=2
80 wake 20 10 cpu=1 u=8 k=104; 80 block 20 cpu=1; 85 run 10 cpu=0
90 sample 10 u=2 cpu=0
100 send 10 77 70 cpu=0 bytes=500; 100 block 10 cpu=0 sys=45 obj=70 u=3 k=103
150 ready 77 70 cpu=0 bytes=1500; 150 irq net 77 10 cpu=0; 150 run 10 cpu=0
160 sample 10 u=2 cpu=0
170 preempt 10 40 cpu=0
180 to 40 10 cpu=0
200 block 10 cpu=0
