# Three hosts, merged. curl on web waits for php on app, which waits for mysqld on db, which has no
# connection with web: its clock is compared with that of app. A process of each host has the same ID.
# merge: hosts-chain.db hosts-chain.app
# view: chains
0 host web
0 window 0 30
0 alive 10 curl
0 socket 70 77 10.0.0.1:40000 10.0.0.2:80 connected
0 run 10
1 send 10 77 70 bytes=100 seq=1000
1.1 block 10 sys=45 obj=70
20.2 ready 77 70 seq=5300
20.2 irq net 77 10
20.25 run 10
30 block 10
