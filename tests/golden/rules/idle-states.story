# A server is not idle in a call that waits for events while it is stopped by a signal (from 11 to 20), frozen (from 21 to 30), or waits for
# something else in the kernel, such as a mutex (uninterruptible, from 31 to 40).
0 window 0 50; 0 target 10; 0 alive 10 server; 0 alive 20 shell; 0 anon 6 [eventpoll]; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 run 10; 0 run 20 cpu=1
1 block 10 sys=232 obj=6; 8 ready 77 70; 8 irq net 77 10; 8 run 10; 9 send 10 77 70 bytes=5
11 block 10 sys=232 obj=6 state=4; 20 wake 20 10; 20 run 10
21 block 10 sys=232 obj=6 state=0x8000; 30 wake 20 10; 30 run 10
31 block 10 sys=232 obj=6 state=2; 40 wake 20 10; 40 run 10
41 block 10 sys=232 obj=6
