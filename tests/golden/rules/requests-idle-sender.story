# A call that the idle task sent (an interrupt did) has no program; a request with such an answer belongs to whoever serves the port.
# requests: --slowest 1
0 window 0 100; 0 target 10; 0 alive 10 web; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected
1 send 0 67 61 bytes=4; 2 ready 67 61; 3 ready 77 70; 4 send 0 77 70 bytes=4
