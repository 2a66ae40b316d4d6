# Without network records there is nothing to tell.
# requests:
0 window 0 10; 0 target 10; 0 alive 10 web; 1 run 10; 2 block 10 sys=232
