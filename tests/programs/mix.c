/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix ROUNDS PARSE HASH SORT WAIT: in each round, mix computes in three functions and sleeps in a
 * fourth. PARSE, HASH and SORT are thousands of loop iterations. WAIT is in microseconds.
 */
#include "tests/programs/program.h"

#define NEVER_INLINE __attribute__((noinline, noclone))

/* Each function contains another assembler comment, so that the compiler does not merge them. */
#define DEFINE_COMPUTING(name)                                                                     \
	NEVER_INLINE static void name(unsigned long steps)                                         \
	{                                                                                          \
		__asm__ volatile("# " #name);                                                      \
		for (volatile unsigned long i = 0; i < steps * 1000; i++)                          \
			;                                                                          \
	}

DEFINE_COMPUTING(parse)
DEFINE_COMPUTING(hash)
DEFINE_COMPUTING(sort)

NEVER_INLINE static void fetch(unsigned long us)
{
	struct timespec ts = {.tv_sec = (time_t)(us / 1000000),
			      .tv_nsec = (long)(us % 1000000) * 1000};

	if (nanosleep(&ts, NULL))
		err(1, "nanosleep");
	/* Prevents a tail call, so that the stacks of the sleep contain fetch(). */
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 100);
	unsigned long parse_steps = program_arg(argc, argv, 2, 2000);
	unsigned long hash_steps = program_arg(argc, argv, 3, 1000);
	unsigned long sort_steps = program_arg(argc, argv, 4, 1000);
	unsigned long wait_us = program_arg(argc, argv, 5, 3000);

	for (unsigned long i = 0; i < rounds; i++) {
		parse(parse_steps);
		hash(hash_steps);
		sort(sort_steps);
		fetch(wait_us);
	}
	return 0;
}
