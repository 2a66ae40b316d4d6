// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tally-calls: a child process calls getpgrp() 7 times and executes this program again. Then it
 * forks a grandchild, which sleeps for two seconds in one call and so outlives the child. The child
 * calls getppid() 1000 times, and getuid() 10 times within 30 ms of work. If it may use two CPUs,
 * it moves between them 10 times.
 *
 * Prints `pid N` of the child, `child N` with the PID of the grandchild, and `moves N`. When the
 * child has ended, prints `schedstat RUN_NS WAIT_NS` of the child.
 */
#include <sched.h>
#include <sys/syscall.h>

#include "tests/programs/program.h"

#define MOVES 10

static void call(long nr, unsigned int cnt)
{
	for (unsigned int i = 0; i < cnt; i++)
		(void)syscall(nr);
}

static void go_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "sched_setaffinity");
}

static unsigned int move(void)
{
	int cpus[2], cnt = 0;
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	for (int cpu = 0; cpu < CPU_SETSIZE && cnt < 2; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			cpus[cnt++] = cpu;
	if (cnt < 2)
		return 0;
	go_to(cpus[0]);
	for (int i = 0; i < MOVES; i++) {
		go_to(cpus[(i + 1) % 2]);
		program_work(500);
	}
	return MOVES;
}

static pid_t sleeping_child(void)
{
	struct timespec time = {.tv_sec = 2};
	pid_t pid = program_fork();

	if (pid == 0)
		_exit(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL) != 0);
	return pid;
}

static void make_calls(void)
{
	printf("pid %d\n", (int)getpid());
	printf("child %d\n", (int)sleeping_child());
	call(SYS_getppid, 1000);
	for (int i = 0; i < 10; i++) {
		call(SYS_getuid, 1);
		program_work(3000);
	}
	printf("moves %u\n", move());
}

int main(int argc, char **argv)
{
	siginfo_t info;
	pid_t pid;

	if (argc > 1) {
		make_calls();
		return 0;
	}
	pid = program_fork();
	if (pid == 0) {
		call(SYS_getpgrp, 7);
		execl("/proc/self/exe", argv[0], "again", NULL);
		err(1, "exec");
	}
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		err(1, "waitid");
	program_print_schedstat(pid);
	return info.si_code != CLD_EXITED || info.si_status;
}
