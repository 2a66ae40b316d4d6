# flame: --kind=oncpu
# flame: --kind=oncpu --format=svg
# flame: --kind=disk
# flame: --kind=disk --format=svg
# flame: --kind=oncpu --comm=nobody
# flame: --pid=99
# Records are lost while a thread changes the CPU; nothing waits for a disk.
0 window 0 100; 0 alive 10 app; 0 ustack 1 work,main@app
0 run 10 cpu=0; 10 sample 10 u=1
50 lost 40 cnt=7 cpu=0
60 run 10 cpu=1; 70 sample 10 u=1; 100 block 10 cpu=1
