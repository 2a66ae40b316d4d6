# Chains name the container of a thread, by the path of its cgroup, where it differs from that of the thread before. A
# cgroup below belongs to the container; a path that only looks like one, and an unknown one, belong to none. The names of one are
# known from its runtime.
0 window 0 40
0 cgroup 90 /system.slice/docker-3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope ino=900
0 cgroup 91 /system.slice/docker-3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope/init.scope ino=901
0 cgroup 92 /kubepods/burstable/pod87a18a64-b74a-454a-b10b-a4a36059d0a3/05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0 ino=902
0 cgroup 93 /machine.slice/machine-mail.scope/payload ino=903
0 cgroup 94 /system.slice/docker-3726184226f5.scope ino=904
0 container mariadb cgroup=902 pod=shop-1 namespace=prod
0 alive 10 web cgroup=900; 0 alive 20 fpm cgroup=901; 0 alive 30 db cgroup=902; 0 alive 40 imap cgroup=903
0 alive 50 odd cgroup=904; 0 alive 60 host cgroup=905
0 run 10; 0 seed 20; 0 seed 30; 0 seed 40; 0 seed 50; 0 seed 60
1 to 10 20 sys=0
3 to 20 30 sys=0
5 to 30 40 sys=0
8 to 40 50 sys=0
12 to 50 60 sys=0
17 wake 60 50; 17 to 60 50
18 wake 50 40; 18 to 50 40
19 wake 40 30; 19 to 40 30
20 wake 30 20; 20 to 30 20
21 wake 20 10; 21 to 20 10
40 block 10
