# Two hosts, merged. The recorder of db pauses from 5 to 10 ms. What its threads do then is unknown, also
# to curl on web, which waits for postgres. But threads of web are known: curl waits for proxy until 7 ms.
# merge: hosts-pause.db
# view: chains
0 host web
0 window 0 30
0 target 10
0 alive 10 curl; 0 alive 11 proxy cpu=1
0 run 10
0 run 11 cpu=1
1 send 10 77 70 bytes=100 seq=1000
0 socket 70 77 10.0.0.1:40000 10.0.0.2:80 connected
6 block 10 sys=202
7 wake 11 10
7.05 run 10
7.1 block 10 sys=45 obj=70
20.2 ready 77 70 seq=5300
20.2 irq net 77 10
20.25 run 10
30 block 10
