# As in requests-shared, but each answer arrives 40 us before the interrupt wakes the thread. Up to 50 us apart, they belong together.
# requests: --slowest 1
0 window 0 60; 0 target 10; 0 alive 10 proxy; 0 alive 11 proxy 10; 0 alive 30 backend
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0 run 10; 0.2 block 10 sys=232; 0 run 11 cpu=1; 0.2 block 11 sys=232; 0 run 30 cpu=2; 0.2 block 30 sys=232
# 10 calls, the answer wakes 11, which answers
1..10 ready 77 70; 1..10 irq net 77 10; 1..10 run 10; 1.05..10.05 send 10 67 61 bytes=4; 1.05..10.05 ready 68 62; 1.05..10.05 irq net 68 30; 1.05..10.05 run 30 cpu=2; 1.1..10.1 block 10 sys=232
1.16..10.16 send 30 68 62 bytes=4; 1.16..10.16 ready 67 61 cpu=2; 1.2..10.2 irq net 67 11 cpu=2; 1.2..10.2 run 11 cpu=1; 1.25..10.25 block 30 sys=232; 1.3..10.3 send 11 77 70 bytes=5; 1.35..10.35 block 11 sys=232
# 11 calls, the answer wakes 10
1.5..9.5 ready 77 70; 1.5..9.5 irq net 77 11; 1.5..9.5 run 11 cpu=1; 1.55..9.55 send 11 67 61 bytes=4; 1.55..9.55 ready 68 62; 1.55..9.55 irq net 68 30; 1.55..9.55 run 30 cpu=2; 1.6..9.6 block 11 sys=232
1.66..9.66 send 30 68 62 bytes=4; 1.66..9.66 ready 67 61 cpu=2; 1.7..9.7 irq net 67 10 cpu=2; 1.7..9.7 run 10; 1.75..9.75 block 30 sys=232; 1.8..9.8 send 10 77 70 bytes=5; 1.85..9.85 block 10 sys=232
# 10 is still awake when the answer comes
20..22 ready 77 70; 20..22 irq net 77 10; 20..22 run 10; 20.05..22.05 send 10 67 61 bytes=4; 20.05..22.05 ready 68 62; 20.05..22.05 irq net 68 30; 20.05..22.05 run 30 cpu=2
20.2..22.2 send 30 68 62 bytes=4; 20.2..22.2 ready 67 61 cpu=2; 20.25..22.25 block 30 sys=232; 20.3..22.3 send 10 77 70 bytes=5; 20.35..22.35 block 10 sys=232
# the slow request
30 ready 77 70; 30 irq net 77 10; 30 run 10; 30.1 send 10 67 61 bytes=4; 30.1 ready 68 62; 30.1 irq net 68 30; 30.1 run 30 cpu=2; 30.2 block 10 sys=232; 30.2 block 30 sys=35 sleep
50 irq timer 0 30 cpu=2; 50 run 30 cpu=2; 50.46 send 30 68 62 bytes=4; 50.46 ready 67 61 cpu=2; 50.5 irq net 67 11 cpu=2; 50.5 run 11 cpu=1; 50.55 block 30 sys=232; 50.6 send 11 77 70 bytes=5; 50.7 block 11 sys=232
