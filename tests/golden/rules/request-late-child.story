# The data of a child are no request, even if the child opened the connection. So 10 waited for 11, which waited for its child 20. It was
# not idle until a later request came, and 12, for which it waited afterwards, held no lock for which 10 waited.
0 window 0 60 0 end=60; 0 target 10 tid=10; 0 slo web request 50
0 alive 10 server; 0 alive 11 worker 10; 0 alive 12 helper 10
0 socket 72 79 127.0.0.1:80 127.0.0.1:6000 accepted; 0 socket 73 80 127.0.0.1:6000 127.0.0.1:80
0.1 established 79 72
0.2 run 10; 0.3 fork 10 20; 0.4 exec 20 convert; 0.4 run 20 cpu=2
0.5 run 11 cpu=1; 0.6 block 11 sys=0 obj=72 cpu=1; 0.7 run 12 cpu=3
1 block 10 sys=202
40 send 20 80 73 cpu=2; 40 ready 79 72; 40 irq net 79 11 cpu=1; 40 run 11 cpu=1; 41 block 11 sys=202 cpu=1
42 wake 12 11 cpu=3; 42 run 11 cpu=1; 43 wake 11 10 cpu=1; 43 run 10; 44 block 11 sys=0 obj=72 cpu=1
60 block 10 sys=202
