# requests:
# Two servers of the same name and port are different ones if they are in different containers; processes of one
# container are one server.
0 window 0 30 0
0 cgroup 90 /docker/3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860 ino=900; 0 cgroup 91 /docker/05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0 ino=901; 0 cgroup 92 /docker/05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0/sub ino=902
0 container blue cgroup=900; 0 container green cgroup=901; 0 container green cgroup=902
0 alive 10 web cgroup=900; 0 alive 20 web cgroup=901; 0 alive 30 web cgroup=902
0 socket 70 77 10.0.0.1:80 10.0.0.9:5000 accepted; 0 socket 71 78 10.0.0.2:80 10.0.0.9:5001 accepted
0 socket 72 79 10.0.0.2:80 10.0.0.9:5002 accepted
0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232; 0.1 established 78 71; 0.1 run 20 cpu=1; 0.2 block 20 sys=232 cpu=1
0.3 established 79 72; 0.3 run 30 cpu=1; 0.4 block 30 sys=232 cpu=1
1 ready 77 70; 1 irq net 77 10; 1 run 10; 3 send 10 77 70 bytes=5; 3.2 block 10 sys=232
5 ready 78 71; 5 irq net 78 20 cpu=1; 5 run 20 cpu=1; 9 send 20 78 71 bytes=5 cpu=1; 9.2 block 20 sys=232 cpu=1
12 ready 79 72; 12 irq net 79 30 cpu=1; 12 run 30 cpu=1; 16 send 30 79 72 bytes=5 cpu=1; 16.2 block 30 sys=232 cpu=1
20 ready 77 70; 20 irq net 77 10; 20 run 10; 22 send 10 77 70 bytes=5; 22.2 block 10 sys=232
