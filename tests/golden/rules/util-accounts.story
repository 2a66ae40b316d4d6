# The kernel's account of a task may begin and end up to 10 ms from the task's time, or a twentieth of this time if that is more; else it
# is not used. So whole-20 (400 ms, its account begins at 20) and short-9 (100 ms, its account ends 9 ms late) have user and system time,
# whole-21 and short-11 are busy. The ends of a CPU's account may be off by a twentieth in all: CPU 2 has user and system time, CPU 3 not.
# util: --by-cpu
0 window 0 400; 0 alive 10 whole-20; 0 alive 11 whole-21; 0 alive 30 other; 0 alive 31 another; 0 alive 40 init; 0 run 40 cpu=4
20 account 10 user=0 system=0 begin; 400 account 10 user=30000 system=10000
21 account 11 user=0 system=0 begin; 400 account 11 user=30000 system=10000
100 run 10; 140 block 10; 150 run 11; 190 block 11
100 fork 40 20; 100 exec 20 short-9; 100 fork 40 21; 100 exec 21 short-11
101 run 20 cpu=1; 121 block 20; 131 run 21 cpu=1; 151 block 21
200 exit 20; 200 exit 21; 200 irq timer 0 20 cpu=1; 200 run 20 cpu=1; 200 dead 20; 200 irq timer 0 21 cpu=1; 200 run 21 cpu=1; 200 dead 21
209 account 20 user=15000 system=5000 exit; 211 account 21 user=15000 system=5000 exit
20 cputime 2 steal=0 user=0 system=0; 400 cputime 2 steal=0 user=30000 system=10000; 100 run 30 cpu=2; 140 block 30
21 cputime 3 steal=0 user=0 system=0; 400 cputime 3 steal=0 user=30000 system=10000; 100 run 31 cpu=3; 140 block 31
