# view: paths
# Each span is placed once. Of two threads of the process that wait for the same one the main thread has
# it as a child; the other waits on that path.
0 window 0 20
0 alive 10 A; 0 alive 11 t 10; 0 alive 20 B
0 seed 20; 0 run 10 cpu=0; 0 run 11 cpu=1
4 wake 10 20; 4 run 20 cpu=2; 4 block 10 cpu=0
4.05 block 11 cpu=1
14 wake 20 10; 14 wake 20 11; 14 run 10 cpu=0; 14 run 11 cpu=1; 14 block 20 cpu=2
20 block 10 cpu=0; 20 block 11 cpu=1
