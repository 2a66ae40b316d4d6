# The view shows all marks, and the counters of the span. Pressure is the share of the time since the previous reading.
# Absent values are left out, and so is the pressure of the first reading.
# view: marks
0 window 2000 5000 1000
0 target 10
0 alive 10 shop
1000 run 10
1000 pressure 1000 0 0 0 0
1000 memory 16000000 8000000
1500 mark text v2.1 uid=1000
2000 pressure 251000 0 0 5000 0
2000 memory 16000000 8000000 0 0 100 0
2000 load 150 2 300
3000 pressure 251000 0 0 5100 0
3000 memory 16000000 4000000 0 0 100 0
3000 load 200 3 301 2400000 800000 3200000
3500 mark failed cache.service
5900 pressure 251000 0 0 5100 0
5990 block 10
