# A task that a call of sched_setaffinity() moves to another CPU has asked for the migration. RSP looks for the call among the 64 innermost
# frames (the move at 9), and not further (the move at 19).
# util: --json=pretty
0 window 0 30; 0 alive 10 app; 0 kthread 7 migration/0; 0 kthread 8 migration/1
0 kstack 1 f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,f22,f23,f24,f25,f26,f27,f28,f29,f30,f31,f32,f33,f34,f35,f36,f37,f38,f39,f40,f41,f42,f43,f44,f45,f46,f47,f48,f49,f50,f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61,f62,f63,__x64_sys_sched_setaffinity; 0 kstack 2 f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,f22,f23,f24,f25,f26,f27,f28,f29,f30,f31,f32,f33,f34,f35,f36,f37,f38,f39,f40,f41,f42,f43,f44,f45,f46,f47,f48,f49,f50,f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61,f62,f63,f64,__x64_sys_sched_setaffinity
0 run 10; 8 preempt 10 0 k=1; 8 run 7; 9 run 10 cpu=1; 10 block 7 kthread cpu=0
18 preempt 10 0 k=2 cpu=1; 18 run 8 cpu=1; 19 run 10 cpu=2; 20 block 8 kthread cpu=1
30 block 10 cpu=2
