# exec makes another program of a thread in the middle of its run: two runs, no sleep between.
0 window 0 10
0 alive 10 sh
0 run 10
4 exec 10 cc
7 name 10 cc:main
10 block 10
