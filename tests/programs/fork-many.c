// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork-many [COUNT] [WORK_US]: makes COUNT (100) children one after the other. Each child works for
 * WORK_US (500) microseconds of CPU time and exits.
 *
 * Prints `pid N` before it begins, `forked COUNT` when done.
 */
#include "tests/programs/program.h"

int main(int argc, char **argv)
{
	unsigned long count = program_arg(argc, argv, 1, 100), i;
	unsigned long us = program_arg(argc, argv, 2, 500);
	pid_t pid;

	printf("pid %d\n", (int)getpid());
	for (i = 0; i < count; i++) {
		pid = program_fork();
		if (pid == 0) {
			program_work(us);
			_exit(0);
		}
		program_join(pid);
	}
	printf("forked %lu\n", count);
	return 0;
}
