# The kernel slows a writer down as too many pages are dirty, another for io.cost, and one that has used
# more memory than memory.high. The timers that end the sleeps are no timeouts, and the sleeps are no loop of
# polls for the process that was made before. A page from swap is a wait for the disk, with a reason.
0 window 0 60; 0 drive 8:0 vda; 0 file 5 /var/lib/big; 0 ustack 1 write,main
0 kstack 101 io_schedule_timeout,balance_dirty_pages.isra.0,balance_dirty_pages_ratelimited_flags,ksys_write
0 kstack 102 io_schedule,ioc_rqos_throttle,submit_bio,ksys_write
0 kstack 103 schedule_timeout_killable,mem_cgroup_handle_over_high,exit_to_user_mode_loop
0 kstack 104 io_schedule,folio_wait_bit_common,do_swap_page,handle_mm_fault
0 alive 10 app
0 run 10
1 fork 10 20; 1 new 10 20; 1 exec 20 other; 1 run 20 cpu=1
2 block 10 sys=1 timeout obj=5 iowait u=1 k=101; 7 irq timer 0 10; 7 run 10
7.02 block 10 sys=1 timeout obj=5 iowait u=1 k=101; 9 exit 20; 9 dead 20; 12 irq timer 0 10; 12 run 10
15 block 10 sys=1 obj=5 iowait u=1 k=102; 25 wake 7 10; 25 run 10
30 block 10 timeout u=1 k=103; 40 irq timer 0 10; 40 run 10
45 disk insert 99; 45 disk issue 99; 45 block 10 iowait u=1 k=104; 55 disk complete 99; 55 irq block 99 10; 55 run 10
60 block 10
