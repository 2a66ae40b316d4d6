# An event loop still waits at the end of the recording, after it has called a server of this host that has sent nothing. The wait has no
# end, but the call shows what it is for.
0 window 0 40; 0 target 10; 0 alive 10 web; 0 anon 6 [eventpoll]
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected
0 run 10; 1 block 10 sys=232 obj=6
10 ready 77 70; 10 irq net 77 10; 10 run 10; 11 send 10 67 61 bytes=5; 12 block 10 sys=232 obj=6
