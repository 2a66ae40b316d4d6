# An event loop with a timer serves two requests. While none of them is pending it is idle, whatever ends its sleeps; a write to the disk while one is
# pending is not. The first sentence tells of the requests, then how much of the time the process was idle, then what it did in the rest.
0 window 0 1000; 0 target 10; 0 alive 10 db; 0 drive 8:0 vda; 0 anon 6 [eventpoll]; 0 file 5 /var/lib/db/log
0 socket 70 77 10.0.0.1:6379 10.0.0.2:5000 accepted; 0 run 10; 1 block 10 sys=232 obj=6 timeout
101 irq timer 0 10; 101 run 10; 101.1 block 10 sys=232 obj=6 timeout; 201.1 irq timer 0 10; 201.1 run 10; 201.2 block 10 sys=232 obj=6 timeout
250 ready 77 70; 250 irq net 77 10; 250 run 10; 251 send 10 77 70 bytes=5; 251.2 block 10 sys=232 obj=6 timeout
351.2 irq timer 0 10; 351.2 run 10; 351.3 block 10 sys=232 obj=6 timeout
400 ready 77 70; 400 irq net 77 10; 400 run 10; 401 disk insert 99 dev=8:0 obj=5 op=write; 401 disk issue 99; 401 block 10 sys=74 obj=5 state=2 iowait
461 disk complete 99; 461 irq block 99 10; 461 run 10; 462 send 10 77 70 bytes=5; 462.2 block 10 sys=232 obj=6 timeout
562.2 irq timer 0 10; 562.2 run 10; 562.3 block 10 sys=232 obj=6 timeout
