# A user sees his own process, and of others whom it waits for that they are another's, and how long they took: here a server of user 33
# that waited for a disk.
# redact: 1000
0 window 0 20; 0 alive 10 shop uid=1000; 0 alive 20 secretd uid=33; 0 drive 8:0 vda; 0 file 5 /secret
0 ustack 1 pay,main@shop; 0 ustack 2 secret,main@secretd; 0 kstack 3 secret_read
0 socket 70 77 10.0.0.1:4711 10.0.0.1:80; 0 socket 71 78 10.0.0.1:80 10.0.0.1:4711
0 run 10; 0 run 20 cpu=1
1 send 10 77 70; 2 block 10 sys=0 obj=70 u=1
3 sample 20 u=2; 4 disk insert 99 obj=5 cpu=1; 5 block 20 sys=0 obj=5 u=2 k=3; 6 disk issue 99 cpu=1
15 disk complete 99 cpu=1; 15 irq block 99 20 cpu=1; 15 run 20 cpu=1
17 send 20 78 71; 17 ready 77 70 cpu=1; 17 irq net 77 10 cpu=1; 17 run 10; 20 block 10
