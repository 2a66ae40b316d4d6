# Many records say who was on their CPU: that bounds what is unknown. Not within 20 us after a switch:
# an interrupt that comes during it may still find the former thread.
0 window 0 20
0 alive 10 a; 0 alive 20 b
0 run 10
4 preempt 10 99
4.015 wake 10 50 cpu=0         # of the switch: a is off the CPU all the same
6 preempt 98 97                # 99 had left, unseen
7 sample 10                    # a came in, unseen
12 to 10 20
12.03 wake 10 50 cpu=0         # a is there: it came back, unseen
16 to 10 20
20 block 20
