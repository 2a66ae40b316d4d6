# The machine has marks and counters, and a thread computes.
0 window 0 4000
0 alive 10 shop
0 run 10 cpu=0
500 pressure 0 0 0 0 0
500 memory 16000000 8000000 4000000 4000000
1000 mark text v2.1
1500 pressure 250000 0 0 0 0
1500 memory 16000000 4000000 4000000 3000000
1500 load 150 2 300 2400000 800000 3200000
2500 pressure 1250000 0 0 0 0
2500 memory 16000000 4000000 4000000 3000000
3000 mark failed cache.service
3900 block 10 cpu=0
