# A thread that waits for a job is idle if the one that is to give it the job waits for a request meanwhile: worker
# 12 and acceptor 11, until a client asks at 9. It is not while the other one waits for an answer (of 10.0.0.9, until
# 16), nor is the wait itself one of a thread that has nothing to do: the job takes longer than a look.
0 window 0 20
0 alive 10 app; 0 alive 11 acceptor 10; 0 alive 12 worker 10; 0 alive 20 client; 0 seed 10 sys=202 futex
0 socket 70 77 127.0.0.1:80 127.0.0.1:40000; 0 socket 71 78 127.0.0.1:40000 127.0.0.1:80
0 socket 72 79 10.0.0.1:40001 10.0.0.9:80
0 run 11; 0 run 12 cpu=1; 0 run 20 cpu=2
1 block 11 sys=0 obj=70; 1.1 block 12 sys=202 futex cpu=1
9 send 20 78 71 cpu=2; 9 ready 77 70 cpu=2; 9 irq net 77 11 cpu=2; 9 run 11; 9.5 wake 11 12; 9.5 run 12 cpu=1
9.6 block 20 sys=0 obj=71 cpu=2
9.6 connect 11 79 72; 9.7 block 11 sys=0 obj=72; 9.8 block 12 sys=202 futex cpu=1
16 ready 79 72; 16 irq net 79 11; 16 run 11; 16.5 wake 11 12; 16.5 run 12 cpu=1
20 block 11; 20 block 12 cpu=1
