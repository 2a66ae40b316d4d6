# What nothing acknowledges, TCP sends again: from the first time until the last the wait is for that,
# and what comes after it is the peer's. What is sent again while nobody waits for it costs nothing.
0 window 0 1000
0 alive 10 client
0 socket 70 77 10.0.0.1:4711 10.0.0.2:80
0 run 10
10 send 10 77 70 bytes=10
20 block 10 sys=45 obj=70
210 resend 77 70
610 resend 77 70
650 ready 77 70; 650 irq net 77 10
650 run 10
660 send 10 77 70 bytes=10
860 resend 77 70
900 block 10 sys=45 obj=70
950 ready 77 70; 950 irq net 77 10
950 run 10
1000 block 10
