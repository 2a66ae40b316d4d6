# A line below the answer names marks within the span or up to 10 s before it. It has at most three marks, and their
# types decide which. A chain names the marks within its longest occurrence. The breach for which the snapshot was taken
# is in the first sentence only.
0 window 11000 12000
0 slo checkout request 250
0 target 10
0 alive 10 shop
0 alive 20 mariadbd
0 kstack 1 futex_wait
500 mark text too_early uid=7
3000 mark text v2.1 uid=1000
9000 mark started backup.service
10990 mark stopped backup.timer.service
11000 run 10
11100 to 10 20 sys=202 k=1
11300 mark failed cache.service
11350 mark dropped - cnt=12
11800 wake 20 10
11900 to 20 10
11950 mark breach checkout
11960 mark breach other
11990 block 10
12500 mark text too_late
