// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpu-hog [MS]: works for MS (600) milliseconds of CPU in one go. With a priority above others it
 * keeps them from theirs.
 *
 * Prints `pid N` when it has a CPU and begins, `hogged MS` when done.
 */
#include "program.h"

int main(int argc, char **argv)
{
	unsigned long ms = program_arg(argc, argv, 1, 600);

	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	program_work(ms * 1000);
	printf("hogged %lu\n", ms);
	return 0;
}
