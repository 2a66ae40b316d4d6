// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeper [ROUNDS] [MS]: sleeps MS (20) milliseconds in nanosleep(), ROUNDS (10) times.
 *
 * Prints `pid N` before it begins, `slept ROUNDS` when done.
 */
#include "tests/programs/program.h"

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 10), i;
	unsigned long ms = program_arg(argc, argv, 2, 20);
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (i = 0; i < rounds; i++)
		if (nanosleep(&ts, NULL))
			err(1, "nanosleep");
	printf("slept %lu\n", rounds);
	return 0;
}
