// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pass [ROUNDS] [WORK_US]: the toy program of the RSP paper. Two processes pass one token through
 * two pipes. The process with the token works for WORK_US (2000) microseconds of CPU time, and
 * passes the token on. So each process waits exactly while the other process runs.
 *
 * The first process, player A, forks player B, begins with the token, and at the end waits for the
 * exit of player B.
 *
 * Prints `pid A B` before it begins, `passed ROUNDS WORK_US` when done.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "tests/programs/program.h"

enum { READ, WRITE };

static void keep_to_cpu(int n)
{
	cpu_set_t allowed, one;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			break;
	if (cpu == CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "sched_setaffinity");
}

static void pass_token(int fd)
{
	if (write(fd, "t", 1) != 1)
		err(1, "write");
}

static void take_token(int fd)
{
	char token;

	if (read(fd, &token, 1) != 1)
		err(1, "read");
}

static void play_b(const int to_a[2], const int to_b[2], unsigned long rounds, unsigned long us)
{
	while (rounds--) {
		take_token(to_b[READ]);
		program_work(us);
		pass_token(to_a[WRITE]);
	}
}

static void play_a(const int to_a[2], const int to_b[2], unsigned long rounds, unsigned long us)
{
	while (rounds--) {
		program_work(us);
		pass_token(to_b[WRITE]);
		take_token(to_a[READ]);
	}
}

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 100);
	unsigned long us = program_arg(argc, argv, 2, 2000);
	int to_a[2], to_b[2];
	pid_t b;

	if (pipe(to_a) || pipe(to_b))
		err(1, "pipe");
	b = program_fork();
	if (b == 0) {
		/*
		 * If a test kills only player A, player B would otherwise wait forever for the
		 * token.
		 */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		keep_to_cpu(1);
		play_b(to_a, to_b, rounds, us);
		return 0;
	}
	printf("pid %d %d\n", (int)getpid(), (int)b);
	fflush(stdout);
	keep_to_cpu(0);
	play_a(to_a, to_b, rounds, us);
	program_join(b);
	printf("passed %lu %lu\n", rounds, us);
	return 0;
}
