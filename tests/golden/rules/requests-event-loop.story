# An event loop is busy with one request for 30 ms; two others wait for it, and it answers them first.
# requests: --slowest 3
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 curl
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 79 77 10.0.0.1:0 10.0.0.2:5000
0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted; 0 socket 72 79 10.0.0.1:80 10.0.0.2:5002 accepted
1 run 10; 1.5 block 10 sys=232
10 ready 77 70; 10 irq net 77 10; 10 run 10; 12 ready 78 71; 14 ready 79 72; 40 send 10 77 70 bytes=5; 41 send 10 78 71 bytes=5; 42 send 10 79 72 bytes=5; 43 block 10 sys=232
