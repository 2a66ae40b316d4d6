# Only the recorder served requests, and it is not the process of interest.
# requests:
0 window 0 100; 0 target 10; 0 alive 10 app; 0 alive 30 rspd
0 socket 90 97 10.0.0.1:82 10.0.0.2:5002 accepted
2 run 10
30 ready 97 90; 31 run 30; 32 send 30 97 90 bytes=5; 33 block 30 sys=232
