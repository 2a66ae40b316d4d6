# Chains have 128 hops at most: thread 10 waits for 11, that for 12, ... 190 computes. From the 128th on
# it is another path. (So far the report shows the ends of it only.)
0 window 0 1000
0 alive 10..190 t
0 run 10
1..180 to 10..189 11..190 sys=0
801..980 wake 190..11 189..10
801..980 to 190..11 189..10 sys=0
1000 block 10
