# A build starts 30 programs, each of which starts the next one and waits for it. Each is env first, then make. So 60 programs were started
# with 30 forks, however many generations below the command.
0 window 0 70; 0 target 10; 0 alive 10 make; 0 run 10
1..30 fork 10..39 11..40; 1..30 new 10..39 11..40; 1..30 to 10..39 11..40 sys=61; 1..30 exec 11..40 env; 1.5..30.5 exec 11..40 make
31..60 exit 40..11; 31..60 wake 40..11 39..10; 31..60 to 40..11 39..10 state=0x80
70 block 10
