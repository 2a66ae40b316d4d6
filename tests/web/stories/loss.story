# The recording contains only the fact that all records were lost.
0 window 0 100
0 alive 10 victim; 0 alive 20 other
100 lost 0 cnt=1000000 cpu=0
