# A run on another CPU than the run before is a migration. The task asked for the migration if it had called sched_setaffinity().
# util: --json=pretty
0 window 0 20
0 alive 10 app; 0 kthread 7 migration/0
0 run 10 cpu=0
2 block 10 cpu=0 sys=35; 3 irq timer 0 10; 3 run 10 cpu=1
5 preempt 10 0 cpu=1; 6 run 10 cpu=1
8 preempt 10 0 cpu=1 k=1; 8 run 7 cpu=1; 9 run 10 cpu=0; 10 block 7 kthread cpu=1
12 block 10 cpu=0
0 kstack 1 schedule,preempt_schedule_common,__set_cpus_allowed_ptr,__x64_sys_sched_setaffinity
