# A web server answers 40 requests in 1 ms each; one more waits 100 ms for a backend that sleeps.
0 window 0 1000; 0 target 10; 0 alive 10 web; 0 alive 20 curl; 0 alive 30 backend
0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted
0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected; 0 socket 62 68 10.0.0.1:81 10.0.0.1:5000 accepted
0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232; 0.1 run 30 cpu=1; 0.2 block 30 sys=232 cpu=1
10 ready 77 70; 10 irq net 77 10; 10 run 10; 11 send 10 77 70 bytes=5; 11.2 block 10 sys=232
30 ready 77 70; 30 irq net 77 10; 30 run 10; 31 send 10 77 70 bytes=5; 31.2 block 10 sys=232
50 ready 77 70; 50 irq net 77 10; 50 run 10; 51 send 10 77 70 bytes=5; 51.2 block 10 sys=232
70 ready 77 70; 70 irq net 77 10; 70 run 10; 71 send 10 77 70 bytes=5; 71.2 block 10 sys=232
90 ready 77 70; 90 irq net 77 10; 90 run 10; 91 send 10 77 70 bytes=5; 91.2 block 10 sys=232
110 ready 77 70; 110 irq net 77 10; 110 run 10; 111 send 10 77 70 bytes=5; 111.2 block 10 sys=232
130 ready 77 70; 130 irq net 77 10; 130 run 10; 131 send 10 77 70 bytes=5; 131.2 block 10 sys=232
150 ready 77 70; 150 irq net 77 10; 150 run 10; 151 send 10 77 70 bytes=5; 151.2 block 10 sys=232
170 ready 77 70; 170 irq net 77 10; 170 run 10; 171 send 10 77 70 bytes=5; 171.2 block 10 sys=232
190 ready 77 70; 190 irq net 77 10; 190 run 10; 191 send 10 77 70 bytes=5; 191.2 block 10 sys=232
210 ready 77 70; 210 irq net 77 10; 210 run 10; 211 send 10 77 70 bytes=5; 211.2 block 10 sys=232
230 ready 77 70; 230 irq net 77 10; 230 run 10; 231 send 10 77 70 bytes=5; 231.2 block 10 sys=232
250 ready 77 70; 250 irq net 77 10; 250 run 10; 251 send 10 77 70 bytes=5; 251.2 block 10 sys=232
270 ready 77 70; 270 irq net 77 10; 270 run 10; 271 send 10 77 70 bytes=5; 271.2 block 10 sys=232
290 ready 77 70; 290 irq net 77 10; 290 run 10; 291 send 10 77 70 bytes=5; 291.2 block 10 sys=232
310 ready 77 70; 310 irq net 77 10; 310 run 10; 311 send 10 77 70 bytes=5; 311.2 block 10 sys=232
330 ready 77 70; 330 irq net 77 10; 330 run 10; 331 send 10 77 70 bytes=5; 331.2 block 10 sys=232
350 ready 77 70; 350 irq net 77 10; 350 run 10; 351 send 10 77 70 bytes=5; 351.2 block 10 sys=232
370 ready 77 70; 370 irq net 77 10; 370 run 10; 371 send 10 77 70 bytes=5; 371.2 block 10 sys=232
390 ready 77 70; 390 irq net 77 10; 390 run 10; 391 send 10 77 70 bytes=5; 391.2 block 10 sys=232
420 ready 77 70; 420 irq net 77 10; 420 run 10; 420.1 send 10 67 61 bytes=4; 420.1 ready 68 62; 420.1 irq net 68 30; 420.1 run 30 cpu=1; 420.2 block 10 sys=232; 420.3 block 30 sys=35 sleep cpu=1
519 irq timer 0 30 cpu=1; 519 run 30 cpu=1; 519.5 send 30 68 62 bytes=4 cpu=1; 519.5 ready 67 61 cpu=1; 519.5 irq net 67 10 cpu=1; 519.5 run 10; 519.6 block 30 sys=232 cpu=1; 520 send 10 77 70 bytes=5; 520.2 block 10 sys=232
540 ready 77 70; 540 irq net 77 10; 540 run 10; 541 send 10 77 70 bytes=5; 541.2 block 10 sys=232
560 ready 77 70; 560 irq net 77 10; 560 run 10; 561 send 10 77 70 bytes=5; 561.2 block 10 sys=232
580 ready 77 70; 580 irq net 77 10; 580 run 10; 581 send 10 77 70 bytes=5; 581.2 block 10 sys=232
600 ready 77 70; 600 irq net 77 10; 600 run 10; 601 send 10 77 70 bytes=5; 601.2 block 10 sys=232
620 ready 77 70; 620 irq net 77 10; 620 run 10; 621 send 10 77 70 bytes=5; 621.2 block 10 sys=232
640 ready 77 70; 640 irq net 77 10; 640 run 10; 641 send 10 77 70 bytes=5; 641.2 block 10 sys=232
660 ready 77 70; 660 irq net 77 10; 660 run 10; 661 send 10 77 70 bytes=5; 661.2 block 10 sys=232
680 ready 77 70; 680 irq net 77 10; 680 run 10; 681 send 10 77 70 bytes=5; 681.2 block 10 sys=232
700 ready 77 70; 700 irq net 77 10; 700 run 10; 701 send 10 77 70 bytes=5; 701.2 block 10 sys=232
720 ready 77 70; 720 irq net 77 10; 720 run 10; 721 send 10 77 70 bytes=5; 721.2 block 10 sys=232
740 ready 77 70; 740 irq net 77 10; 740 run 10; 741 send 10 77 70 bytes=5; 741.2 block 10 sys=232
760 ready 77 70; 760 irq net 77 10; 760 run 10; 761 send 10 77 70 bytes=5; 761.2 block 10 sys=232
780 ready 77 70; 780 irq net 77 10; 780 run 10; 781 send 10 77 70 bytes=5; 781.2 block 10 sys=232
800 ready 77 70; 800 irq net 77 10; 800 run 10; 801 send 10 77 70 bytes=5; 801.2 block 10 sys=232
820 ready 77 70; 820 irq net 77 10; 820 run 10; 821 send 10 77 70 bytes=5; 821.2 block 10 sys=232
840 ready 77 70; 840 irq net 77 10; 840 run 10; 841 send 10 77 70 bytes=5; 841.2 block 10 sys=232
860 ready 77 70; 860 irq net 77 10; 860 run 10; 861 send 10 77 70 bytes=5; 861.2 block 10 sys=232
880 ready 77 70; 880 irq net 77 10; 880 run 10; 881 send 10 77 70 bytes=5; 881.2 block 10 sys=232
900 ready 77 70; 900 irq net 77 10; 900 run 10; 901 send 10 77 70 bytes=5; 901.2 block 10 sys=232
920 ready 77 70; 920 irq net 77 10; 920 run 10; 921 send 10 77 70 bytes=5; 921.2 block 10 sys=232
