// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpu-hog CPU [MS]: occupies a CPU for MS (600) milliseconds with a real-time priority.
 *
 * Prints `pid N` when it runs on the CPU, and `hogged MS` when done.
 */
#include <sched.h>

#include "tests/programs/program.h"

static void take_cpu(unsigned long cpu)
{
	struct sched_param priority = {.sched_priority = 1};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "sched_setaffinity");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		err(1, "sched_setscheduler");
}

int main(int argc, char **argv)
{
	unsigned long ms = program_arg(argc, argv, 2, 600), cpu;

	if (argc < 2)
		errx(1, "usage: cpu-hog CPU [MS]");
	cpu = strtoul(argv[1], NULL, 10);
	take_cpu(cpu);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	program_work(ms * 1000);
	printf("hogged %lu\n", ms);
	return 0;
}
