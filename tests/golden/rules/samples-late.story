# A sample belongs to the run during which it was taken, with 20 us of grace after its end. One that
# comes later tells that the thread has come in again, unseen.
0 window 0 20
0 ustack 1 in_time,main; 0 ustack 2 late,main; 0 ustack 3 too_late,main
0 alive 10 a
0 run 10
4 block 10
4.015 sample 10 u=2            # during the switch
9 irq hard 0 10; 9 run 10
12 sample 10 u=1
14 block 10
14.03 sample 10 u=3
20 block 10
