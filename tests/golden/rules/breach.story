# The span to be explained is a request in the middle of what was recorded: who ends a wait after it is the one who was waited for,
# what happened before it is known, and neither counts. Of the process the thread that had the request counts alone.
0 window 100 400 0 end=1000; 0 target 10 tid=10; 0 slo checkout request 250
0 alive 10 nginx; 0 alive 11 nginx 10; 0 alive 20 python; 0 alive 30 hog
1 run 10; 1 run 20 cpu=1; 1 run 30 cpu=2
2 block 10 sys=232; 50 block 20 sys=45
100 irq net 77 10; 100 run 10; 101 wake 10 20; 101 run 20 cpu=1; 102 block 10 sys=232
390 wake 30 11 cpu=2; 391 to 30 11 cpu=2
450 wake 20 10 cpu=1; 451 block 20 cpu=1; 451 run 10; 452 block 10 sys=232; 460 block 11 cpu=2
