# A thread that waits for signals while its process serves is idle in the gaps between the requests. Up to 64 pieces are told apart
# (the first wait: 63 requests). With more, the thread is idle all the time if requests were pending for at most a tenth of it (the
# second wait: 8 %), else not at all (the third: 12 %).
# view: chains
0 window 0 302; 0 target 10; 0 alive 10 web; 0 alive 11 signals 10; 0 alive 20 reloader; 0 run 20 cpu=2
0 anon 6 [eventpoll]; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 run 10; 0 run 11 cpu=1; 0.2 block 10 sys=232 obj=6
0.5 block 11 sys=128; 100.5 wake 20 11; 100.5 run 11 cpu=1
101.5 block 11 sys=128; 201.5 wake 20 11; 201.5 run 11 cpu=1
202 block 11 sys=128; 302 wake 20 11; 302 run 11 cpu=1
1..63 ready 77 70; 1..63 irq net 77 10; 1..63 run 10; 1.3..63.3 send 10 77 70 bytes=5; 1.3..63.3 block 10 sys=232 obj=6
102..165 ready 77 70; 102..165 irq net 77 10; 102..165 run 10; 102.13..165.13 send 10 77 70 bytes=5; 102.13..165.13 block 10 sys=232 obj=6
203..266 ready 77 70; 203..266 irq net 77 10; 203..266 run 10; 203.19..266.19 send 10 77 70 bytes=5; 203.19..266.19 block 10 sys=232 obj=6
