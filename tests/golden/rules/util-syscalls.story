# Each program of a process has its own row and its own calls. A call whose start or end was not seen is pending, and the
# other figures do not include it. A thread that did not switch has a row, too.
# util:
0 window 0 100
0 alive 10 sh; 0 alive 40 idler; 0 seed 40 sys=23
0 run 10 cpu=0
20 exec 10 make; 20.01 calls 10 sys=59 cnt=1 sum=500 min=500 max=500 exec; 20.01 account 10 user=8000 system=12000 exec
30 fork 10 11; 30 run 11 cpu=1
50 exec 11 cc1; 49.99 calls 11 sys=56 pending=100 exec
60 block 10 sys=61 cpu=0
80 calls 11 sys=0 cnt=100 sum=5000 min=20 max=900 exit; 80 calls 11 sys=231 pending=12 exit; 80 exit 11; 80 dead 11
100 calls 10 sys=61 pending=40000; 100 calls 10 sys=1 cnt=2 sum=300 min=100 max=200
100 calls 40 sys=23 pending=100000
