# Two hosts, merged. curl on web waits for mysqld on db, which waits for a CPU of db: the number of CPUs of both hosts
# together says nothing about that, so the report does not name it.
# merge: hosts-runqueue.db
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
