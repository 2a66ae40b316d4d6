# Dead, zombie, parked: all states that an exited thread is never woken from end it.
0 window 0 10
0 alive 10 a; 0 alive 11 t1 10; 0 alive 12 t2 10; 0 alive 13 t3 10
0 run 10 cpu=0; 0 run 11 cpu=1; 0 run 12 cpu=2; 0 run 13 cpu=3
1 exit 11; 2 block 11 state=0x10    # EXIT_DEAD
1 exit 12; 4 block 12 state=0x40    # TASK_PARKED
1 exit 13; 7 block 13 state=0x80    # TASK_DEAD
10 block 10
