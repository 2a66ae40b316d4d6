# An event loop that waits for its next request is not idle while another request is pending that it answers later (from 3 to 8): it waits
# for something that RSP does not follow. Nor while it waits for an answer from this host that never comes (from 22 to 30).
0 window 0 40; 0 target 10; 0 alive 10 web; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 71 78 10.0.0.1:80 10.0.0.2:5001 accepted; 0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected
0 run 10; 1 block 10 sys=232 obj=6
2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 block 10 sys=232 obj=6
8 ready 78 71; 8 irq net 78 10; 8 run 10; 9 send 10 78 71 bytes=5; 10 send 10 77 70 bytes=5; 11 block 10 sys=232 obj=6
20 ready 78 71; 20 irq net 78 10; 20 run 10; 21 send 10 67 61 bytes=5; 21.5 send 10 78 71 bytes=5; 22 block 10 sys=232 obj=6
30 ready 78 71; 30 irq net 78 10; 30 run 10; 31 send 10 78 71 bytes=5; 40 block 10
