# A thread without a sample of its own shares those of its process, of threads of the same name: c has another one, and tells
# of nothing.
0 window 0 30
0 ustack 1 parse,main; 0 ustack 3 draw,main; 0 ustack 4 read,main
0 alive 10 a; 0 alive 11 a 10; 0 alive 12 c 10
0 run 10 cpu=0; 0 run 12 cpu=2
2 sample 10 u=1; 7 sample 10 u=1; 10 block 10 u=4; 10 sample 12 u=3; 15 sample 12 u=3; 20 block 12 u=4
20 irq hard 0 0 cpu=1; 20 run 11 cpu=1; 22 block 11 u=4
24 irq hard 0 11 cpu=1; 24 run 11 cpu=1; 28 block 11 u=4 cpu=1
