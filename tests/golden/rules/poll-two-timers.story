# A loop with two timers sleeps for 10 ms, then for 1 ms, and does 300 us of housekeeping after each. That is little
# beside its longest sleep: all of it is one wait for the server that answers at last. Of a loop that only ever slept
# for 1 ms it is work: its sleeps are timeouts.
0 window 0 30; 0 ustack 1 poll,curl_multi_poll,main
0 alive 10 curl; 0 alive 20 server; 0 seed 20
0 socket 70 77 127.0.0.1:40000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:40000
0 run 10
1 send 10 77 70; 1.01 ready 78 71; 1.01 irq net 78 20; 1.02 run 20 cpu=1
2 block 10 sys=7 timeout u=1 obj=70; 12 irq timer 0 10; 12 run 10; 12.3 block 10 sys=7 timeout u=1 obj=70
13.3 irq timer 0 10; 13.3 run 10; 13.6 block 10 sys=7 timeout u=1 obj=70
18 send 20 78 71; 18.01 ready 77 70; 18.01 irq net 77 10; 18.02 run 10; 19 block 20
20 block 10 sys=7 timeout u=1; 21 irq timer 0 10; 21 run 10; 21.3 block 10 sys=7 timeout u=1
22.3 irq timer 0 10; 22.3 run 10; 30 block 10
