# An event loop that has not woken up since before the recording: a request from before may be pending, of which no record tells.
0 window 0 1000; 0 target 10; 0 alive 10 nginx; 0 alive 20 other; 0 anon 6 [eventpoll]; 0 seed 10 sys=232 obj=6; 1 run 20; 2 block 20
