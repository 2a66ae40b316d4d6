# flame: --kind=oncpu
# flame: --kind=hotcold
# flame: --kind=wakeup --format=svg --title=<names>
# Names of threads, files and functions contain characters that have a meaning in folded stacks or in XML.
0 window 0 100
0 alive 10 "a":b_7; 0 alive 20 <&'>; 0 alive 30 _[k]
0 file 5 /tmp/a:b_<x>&"'_12; 0 pipe 6
0 kstack 101 schedule,weird_[k]
0 ustack 1 std::map<int>::at,f(int)_12,main@lib&c.so
0 ustack 2 operator<<,--,all@]]>
0 seed 20; 0 seed 30; 0 run 10 cpu=0
5 sample 10 u=1
10 wake 10 20 u=2 k=101; 10 run 20 cpu=1; 10 block 10 cpu=0 sys=0 obj=5 u=1 k=101
25 sample 20 u=2
30 wake 20 30 u=1; 30 run 30 cpu=2; 30 block 20 cpu=1 sys=0 obj=6 u=2 k=101
60 wake 30 20 cpu=2 u=1; 60 run 20 cpu=1; 60 block 30 cpu=2
80 wake 20 10 cpu=1; 80 run 10 cpu=0; 80 block 20 cpu=1
100 block 10 cpu=0
