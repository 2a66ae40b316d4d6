# The first sentence is about the process of interest, although another server answered more requests. Calls of the recorder
# itself are not listed.
# requests:
0 window 0 100; 0 target 10; 0 alive 10 web; 0 alive 20 cache; 0 alive 30 rspd
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 80 87 10.0.0.1:81 10.0.0.2:5001 accepted
0 socket 90 97 10.0.0.1:82 10.0.0.2:5002 accepted
1 ready 77 70; 2 run 10; 5 send 10 77 70 bytes=5; 6 block 10 sys=232
10 ready 87 80; 11 run 20; 12 send 20 87 80 bytes=5; 13 block 20 sys=232
20 ready 87 80; 21 run 20; 22 send 20 87 80 bytes=5; 23 block 20 sys=232
30 ready 97 90; 31 run 30; 32 send 30 97 90 bytes=5; 33 block 30 sys=232
40 ready 97 90; 41 run 30; 42 send 30 97 90 bytes=5; 43 block 30 sys=232
50 ready 97 90; 51 run 30; 52 send 30 97 90 bytes=5; 53 block 30 sys=232
