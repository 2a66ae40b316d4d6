# redact: 33
# flame: --kind=hotcold
# flame: --kind=chain
# flame: --kind=oncpu --format=svg
# A flame graph for a user does not contain another user's names, stacks and files.
0 window 0 20
0 target 10
0 alive 10 shop uid=33; 0 alive 20 db uid=0
0 file 5 /home/shop/x; 0 file 6 /var/lib/db/secret
0 ustack 1 wait_answer,main@shop; 0 ustack 2 secret,main@db
0 seed 20; 0 run 10 cpu=0; 1 sample 10 u=1
3 wake 10 20; 3 run 20 cpu=1; 3 block 10 cpu=0 sys=0 obj=5 u=1
6 sample 20 u=2; 10 block 20 cpu=1 sys=0 obj=6 u=2
12 irq timer 0 20; 12 run 20 cpu=1
15 wake 20 10 u=2; 15 run 10 cpu=0; 15 block 20 cpu=1
20 block 10 cpu=0
