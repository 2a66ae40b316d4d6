# Roots are the threads that did anything but sleep, from birth to death: their time is the total.
0 window 0 10
0 alive 10 a; 0 alive 11 idle 10; 0 alive 20 b
0 seed 11; 0 run 10 cpu=0; 0 run 20 cpu=1
2 fork 10 12 10; 2 run 12 cpu=2
6 exit 12; 6 dead 12
10 block 10
