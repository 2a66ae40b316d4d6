# A thread that comes in, or goes on, without having been woken slept until then if nothing was lost: had
# it run and slept once more, that would be on record. A deliberate sleep needs no waker to be one; of
# another wait it is unknown who ended it.
0 window 0 40
0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0
2 block 10 sys=230 sleep; 12 run 10                      # its timer was not seen
14 block 10 sys=0; 20 run 10                             # nor who wrote
22 block 10 sys=230 sleep; 31 run 20 cpu=0; 32 to 20 30
33 block 10 cpu=0                                        # came in after b left: 32 at the earliest
40 block 20 cpu=0
