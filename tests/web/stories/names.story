# Names that a page could confuse with its own markup or code.
0 window 0 100
0 alive 10 <script>x()</; 0 alive 20 "><img/src=x>; 0 alive 30 '</script>; 0 alive 40 &lt<b&gt
0 file 5 /tmp/<img/src=x/onerror=alert(1)>; 0 unix 6 <svg/onload=alert(2)>
0 kstack 101 schedule,<b>bold</b>
0 ustack 1 std::vector<int>::at,"quoted",main@</script><script>alert(3)</script>
0 ustack 2 operator<<,__proto__,constructor@lib&amp.so
0 seed 20; 0 seed 30; 0 seed 40; 0 run 10 cpu=0
5 sample 10 u=2
10 wake 10 20 u=1; 10 run 20 cpu=1; 10 block 10 cpu=0 sys=0 obj=6 u=1 k=101
20 wake 20 30 u=1 k=101; 20 run 30 cpu=2; 20 block 20 cpu=1 sys=0 obj=5 u=2 k=101
25 sample 30 u=1
30 wake 30 40 u=2; 30 run 40 cpu=3; 30 block 30 cpu=2 sys=202 u=1 k=101
60 wake 40 30 cpu=3 u=2; 60 run 30 cpu=2; 60 block 40 cpu=3
70 wake 30 20 cpu=2; 70 run 20 cpu=1; 70 block 30 cpu=2
80 wake 20 10 cpu=1; 80 run 10 cpu=0; 80 block 20 cpu=1
100 block 10 cpu=0
