# A wait of which only the end was recorded lasted since the beginning. What a kernel timer ended is the
# kernel's, if nothing is known of the call.
0 window 0 10
0 alive 10 a
6 irq ktimer 1 10
6 run 10
10 block 10
