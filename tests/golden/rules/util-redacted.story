# Another user's system calls and account are not shown.
# redact: 1000
# util:
0 window 0 20
0 target 10
0 alive 10 mine uid=1000; 0 alive 20 theirs uid=1001
0 account 10 user=0 system=0 begin; 0 account 20 user=0 system=0 begin
0 run 10 cpu=0; 0 run 20 cpu=1
10 block 10 cpu=0 sys=0; 12 block 20 cpu=1 sys=0
20 account 10 user=4000 system=4000; 20 account 20 user=1000 system=8000
20 calls 10 sys=0 cnt=1 sum=10 min=10 max=10; 20 calls 20 sys=1 cnt=7 sum=70 min=10 max=10
