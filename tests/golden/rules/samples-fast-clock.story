# The sampling clock ticks every millisecond. A sample still reaches 10 ms to either side (from 5 to 25). A run of up to 4 ms
# without a sample may be chance, so it is inferred from the other samples (from 31 to 34.9); a longer one lacks samples, and its
# function is unknown (from 36 to 40.1).
# view: chains
0 window 0 42 hz=1000; 0 ustack 1 hash,main; 0 ustack 2 read,main
0 alive 10 a; 0 run 10
15 sample 10 u=1
30 block 10 u=2; 31 irq hard 0 10; 31 run 10
34.9 block 10 u=2; 36 irq hard 0 10; 36 run 10
40.1 block 10 u=2; 42 irq hard 0 10
