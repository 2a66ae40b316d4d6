# A user sees the calls that its own program makes over a unix socket, with the path, and nothing of others' connections.
# redact: 1000
# requests:
0 window 0 100; 0 target 20; 0 alive 10 postgres uid=101; 0 alive 20 psql uid=1000; 0 alive 30 other uid=1001
0 unix 40 /run/pg.sock; 0 unix 41 /run/secret.sock
0 unixsocket 71 78 77 5 40 connected; 0 unixsocket 70 77 78 5 40 accepted
0 unixsocket 73 88 87 6 41 connected; 0 unixsocket 72 87 88 6 41 accepted
1 run 20; 1 run 30 cpu=1; 2 message 20 71 70 bytes=4; 2 wake 20 10; 2 run 10 cpu=2; 3 block 20 sys=0
4 message 30 73 72 bytes=4; 6 message 10 72 73 bytes=4 cpu=2
9 message 10 70 71 bytes=4 cpu=2; 9 wake 10 20 cpu=2; 9 run 20; 10 block 20 sys=7
