# A host of hosts-chain.story, whose clock is 1 s ahead.
990 host app
990 window 990 1040
990 alive 10 php
990 socket 70 77 10.0.0.2:80 10.0.0.1:40000 accepted
990 socket 71 78 10.0.1.2:50000 10.0.1.3:3306 connected
990 seed 10 sys=45 obj=70
1001.05 ready 77 70 seq=1100
1001.05 irq net 77 10
1001.1 run 10
1003 send 10 78 71 bytes=10 seq=100
1003.1 block 10 sys=0 obj=71
1018.2 ready 78 71 seq=210
1018.2 irq net 78 10
1018.25 run 10
1020.1 send 10 77 70 bytes=300 seq=5000
1020.2 block 10 sys=45 obj=70
