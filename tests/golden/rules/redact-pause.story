# A process of user 1000 waits for a process of another user. The redacted report contains that the latter stayed in
# one state throughout a pause: the server of user 33 waits for a device from before the pause until after it.
# redact: 1000
0 window 0 20; 0 alive 10 shop uid=1000; 0 alive 20 secretd uid=33; 0 handler 8 eth0
0 run 10 cpu=0; 0 run 20 cpu=1
2 block 10 futex obj=4096 sys=202
3 block 20 sys=0 obj=5
15 pause 5
15.1 seed 10 same state=1; 15.2 seed 20 same state=1
16 irq hard 8 20 cpu=1; 16 run 20 cpu=1
18 wake 20 10; 18 run 10 cpu=0
20 block 10
