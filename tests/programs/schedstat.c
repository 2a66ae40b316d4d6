// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedstat [ROUNDS] [WORK_US]: shares one CPU with another program that only computes. Works for
 * WORK_US (3000) microseconds of CPU time and sleeps briefly, ROUNDS (60) times.
 *
 * Prints `pid N` before it begins. At the end it prints `schedstat RUN_NS WAIT_NS`: the kernel's
 * counts of the program's time on the CPU and on the run queue, since its fork.
 */
#include <sched.h>

#include "tests/programs/program.h"

static void share_one_cpu(void)
{
	cpu_set_t allowed, one;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "sched_setaffinity");
}

static void print_schedstat(void)
{
	unsigned long long run_ns, wait_ns;
	FILE *f = fopen("/proc/self/schedstat", "re");

	if (!f)
		err(1, "/proc/self/schedstat");
	if (fscanf(f, "%llu %llu", &run_ns, &wait_ns) != 2)
		errx(1, "cannot read /proc/self/schedstat");
	fclose(f);
	printf("schedstat %llu %llu\n", run_ns, wait_ns);
}

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 60), i;
	unsigned long work_us = program_arg(argc, argv, 2, 3000);
	struct timespec nap = {.tv_nsec = 200000};
	pid_t rival;

	printf("pid %d\n", (int)getpid());
	share_one_cpu();
	rival = program_fork();
	if (rival == 0) {
		program_work(rounds * work_us);
		return 0;
	}
	for (i = 0; i < rounds; i++) {
		program_work(work_us);
		if (nanosleep(&nap, NULL))
			err(1, "nanosleep");
	}
	print_schedstat();
	program_join(rival);
	return 0;
}
