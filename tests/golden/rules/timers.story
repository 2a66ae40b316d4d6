# view: chains
# The thread's own timer: a deliberate sleep if it is of the nanosleep family, else a timeout. Others':
# a timeout if the call has one, polls, reads a timerfd, waits for a signal, or if the timer sends one; else the kernel.
0 window 0 50; 0 anon 6 [timerfd]; 0 anon 7 [signalfd]; 0 anon 8 [eventfd]
0 kstack 9 commit_timeout; 0 kstack 10 it_real_fn; 0 kstack 11 posix_timer_fn
0 alive 10 a; 0 run 10
1 block 10 sys=230 sleep;       3 irq timer 0 10; 3 run 10    # clock_nanosleep: sleep
4 block 10 sys=7 timeout;       7 irq timer 0 10; 7 run 10    # poll: timeout
8 block 10 sys=202 timeout;    12 irq ktimer 1 10; 12 run 10  # a kernel timer, the call has a timeout
13 block 10 sys=232;           18 irq ktimer 1 10; 18 run 10  # epoll_wait
19 block 10 sys=0 obj=6;       20 irq ktimer 1 10; 20 run 10  # read of a timerfd
21 block 10 sys=0 obj=7;       23 irq ktimer 1 10; 23 run 10  # read of a signalfd
24 block 10 sys=130;           27 irq ktimer 1 10; 27 run 10  # rt_sigsuspend
28 block 10 sys=0 obj=8;       32 irq ktimer 1 10; 32 run 10  # read of another file: kernel
33 block 10 sys=74;            38 irq ktimer 9 10; 38 run 10  # fsync: kernel, by its function
40 block 10 sys=0 obj=8;       41 irq ktimer 10 10; 41 run 10 # read, until alarm(): timeout
42 block 10 sys=61;            44 irq ktimer 11 10; 44 run 10 # wait4, until a timer of timer_create()
50 block 10
