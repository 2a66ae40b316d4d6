# An event loop sends a request on and serves other clients until the answer is there: their doings end its sleeps, but the request waits for
# the answer it was finished with. Inferred where another's doing ended the sleep. An answer that came before the loop slept again was another's.
0 window 10 100 0 end=120; 0 target 10 tid=10; 0 slo web request 50
0 alive 10 loop; 0 alive 20 backend; 0 alive 30 client; 0 alive 40 cache
0 socket 70 77 10.0.0.1:50001 10.0.0.1:81; 0 socket 71 78 10.0.0.1:81 10.0.0.1:50001
0 socket 72 79 10.0.0.1:80 10.0.0.1:60001; 0 socket 73 80 10.0.0.1:60001 10.0.0.1:80
0 socket 74 81 10.0.0.1:50002 10.0.0.1:82; 0 socket 75 82 10.0.0.1:82 10.0.0.1:50002
1 run 10; 1 run 20 cpu=1; 1 run 30 cpu=2; 1 run 40 cpu=3; 2 block 10 sys=232; 3 block 20 sys=7 cpu=1
10 irq net 99 10 cpu=0; 10 run 10; 11 send 10 77 70; 11.5 wake 10 20; 11.5 run 20 cpu=1; 11.7 send 10 81 74; 12 block 10 sys=232
20 send 40 82 75 cpu=3; 20 ready 81 74 cpu=3; 20 irq net 81 10 cpu=3; 20 run 10; 21 block 10 sys=232
40 send 30 80 73 cpu=2; 40 ready 79 72 cpu=2; 40 irq net 79 10 cpu=2; 40 run 10; 40.5 send 10 79 72; 41 block 10 sys=232
70 send 30 80 73 cpu=2; 70 ready 79 72 cpu=2; 70 irq net 79 10 cpu=2; 70 run 10; 70.5 send 10 79 72; 71 block 10 sys=232
98 send 20 78 71 cpu=1; 98 ready 77 70 cpu=1; 98 irq net 77 10 cpu=1; 98 run 10; 101 block 10 sys=232
