# The same where closed unix sockets are recorded: the client waits.
# requests:
0 window 0 400; 0 target 10; 0 alive 10 postgres; 0 alive 20 psql; 0 unix 40 /run/pg.sock
0 unixsocket 73 88 87 6 40 connected; 1 close 88 73
0 unixsocket 71 78 77 5 40 connected; 0 unixsocket 70 77 78 5 40 accepted
1 run 10; 1 block 10 sys=232; 2 send 20 78 71 bytes=4 cpu=1; 2 ready 77 70 cpu=1; 2 wake 20 10 cpu=1; 2 run 10
5 send 10 77 70 bytes=4; 5 ready 78 71; 6 block 10 sys=232; 7 send 20 78 71 bytes=4 cpu=1; 7 ready 77 70 cpu=1
