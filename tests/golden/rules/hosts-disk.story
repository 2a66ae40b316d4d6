# Two hosts, merged. curl on web waits for postgres on db, which waits for its disk; then for proxy on web,
# over loopback. Both hosts use the same numbers for everything, and postgres sends between the same
# loopback addresses as proxy, half a millisecond later. The clock of db is 3 s ahead; the messages show
# it to within three tenths of a millisecond.
# merge: hosts-disk.db
0 host web.example.com
0 window 0 30
0 target 10
0 alive 10 curl; 0 alive 20 proxy cpu=1; 0 seed 20 sys=232 obj=71
0 socket 70 77 10.0.0.1:40000 10.0.0.2:80 connected
0 socket 71 78 127.0.0.1:80 127.0.0.1:4000 accepted
0 socket 72 79 127.0.0.1:4000 127.0.0.1:80 connected
0 ustack 2 ask@curl,main@curl
0 run 10
1 send 10 77 70 bytes=100 seq=4294967290
1.1 block 10 sys=45 obj=70 u=2
20.2 ready 77 70 seq=5300
20.2 irq net 77 10
20.25 run 10
21 send 10 79 72 bytes=10 seq=100
21 ready 78 71 seq=110; 21 irq net 78 20; 21.05 run 20 cpu=1
21.1 block 10 sys=45 obj=72 u=2
27 send 20 78 71 bytes=10 seq=500; 27.05 block 20 sys=232 obj=71
28 ready 79 72 seq=510
28 irq net 79 10; 28.05 run 10
30 block 10
