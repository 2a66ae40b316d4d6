# Other users see types and times of marks, and all counters.
# view: marks
# redact: 1000
0 window 2000 5000 1000
0 target 10
0 alive 10 shop uid=1000
1000 run 10
1500 mark text secret uid=1000
2000 memory 16000000 8000000
3500 mark failed cache.service
3600 mark breach checkout
5990 block 10
