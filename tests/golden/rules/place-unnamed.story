# A timeout at a file is named by the system call and the file. A pipe has no name, so the report also names the function
# that waits, if it is known.
0 window 0 100; 0 pipe 7; 0 file 5 /dev/watchdog
0 ustack 1 poll@libc.so.6,wait_for_tokens,main
0 alive 10 app
0 run 10; 0.1 block 10 sys=7 obj=7 timeout u=1; 50 irq timer 0 10; 50 run 10
60 block 10 sys=7 obj=5 timeout u=1; 80 irq timer 0 10; 80 run 10
90 block 10 sys=7 obj=7 timeout; 95 irq timer 0 10; 95 run 10; 100 block 10
