# view: paths
# Since when someone is at work is looked back for at 256 of his spans: of 200 since 1 the first one is
# found, and he fits (path-grace); of 300 since 9 it is not.
0 window 0 20
0 alive 10 A; 0 alive 20 B; 0 alive 30 C
0 seed 20; 0 seed 30; 0 run 10 cpu=0
1 wake 10 20; 1 run 20 cpu=1; 1 exec 20 1..200; 1 name 20 child
1.08 block 10 cpu=0; 7 wake 20 10; 7 run 10 cpu=0; 7.5 block 20 cpu=1
9 wake 10 30; 9 run 30 cpu=2; 9 exec 30 1..300; 9 name 30 other
9.08 block 10 cpu=0; 17 wake 30 10; 17 run 10 cpu=0; 17.5 block 30 cpu=2
20 block 10 cpu=0
