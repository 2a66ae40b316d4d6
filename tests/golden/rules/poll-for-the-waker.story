# The last of the sleeps was ended by a thread: all of them were for that one.
0 window 0 20; 0 ustack 1 poll,wait_for_it,main
0 alive 10 a; 0 alive 20 b
0 run 10; 0 run 20 cpu=1
2 block 10 sys=7 timeout u=1
7 irq timer 0 10; 7 run 10; 7.01 block 10 sys=7 timeout u=1
11 wake 20 10
11 run 10
20 block 10
