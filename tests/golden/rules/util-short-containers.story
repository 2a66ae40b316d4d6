# Short processes of one name are one row for each container, also if processes of several containers alternate.
# util:
0 window 0 100
0 target 10
0 cgroup 90 /docker/3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860 ino=900
0 cgroup 91 /docker/05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0 ino=901
0 container blue cgroup=900; 0 container green cgroup=901
0 alive 10 make
0 run 10 cpu=0
10 fork 10 11 cgroup=900; 10 run 11 cpu=1; 12 exec 11 cc1 cgroup=900; 15 exit 11; 15 dead 11
20 fork 10 12 cgroup=901; 20 run 12 cpu=1; 22 exec 12 cc1 cgroup=901; 26 exit 12; 26 dead 12
30 fork 10 13 cgroup=900; 30 run 13 cpu=1; 32 exec 13 cc1 cgroup=900; 37 exit 13; 37 dead 13
40 fork 10 14 cgroup=901; 40 run 14 cpu=1; 42 exec 14 cc1 cgroup=901; 48 exit 14; 48 dead 14
50 fork 10 15 cgroup=900; 50 run 15 cpu=1; 52 exec 15 cc1 cgroup=900; 59 exit 15; 59 dead 15
100 block 10 sys=61 cpu=0
