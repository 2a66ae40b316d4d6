# view: paths
# Paths that wait on paths: each wave of them is found from the one before, 64 waves at most. Here each
# of 101 threads was at work before the one before it began to wait for it.
0 window 0 400
0 alive 10..110 t
0 run 10..110 cpu=0..100
101..200 block 10..109 sys=0
220..319 wake 110..11 109..10
220..319 run 109..10 cpu=99..0
400 block 10
