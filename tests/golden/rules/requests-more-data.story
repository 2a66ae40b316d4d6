# More data before the answer: a large request, pipelining or several streams cannot be told apart, so the report says that the time is a busy period.
# requests: --json=pretty
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 79 77 10.0.0.1:0 10.0.0.2:5000
1 established 77 70; 1 run 10; 1.5 block 10 sys=232
2 ready 77 70 seq=100; 2 irq net 77 10; 2 run 10; 3 ready 77 70 seq=200; 3 ready 77 70 seq=200; 5 send 10 77 70 bytes=9; 6 send 10 77 70 bytes=9; 7 block 10 sys=232
