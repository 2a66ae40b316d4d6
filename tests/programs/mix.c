/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix ROUNDS PARSE HASH SORT WAIT: in each round computes in three functions and sleeps in a
 * fourth. The first three take so many thousand steps, which take some microseconds each, and the
 * fourth so many microseconds. For tests that compare two recordings: a change of one number is a
 * change of one function, and nothing else differs.
 */
#include "program.h"

#define NEVER_INLINE __attribute__((noinline, noclone))

/* The text in each differs, so that the compiler does not make one function of equal ones. */
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
	/* The call is no tail call: a stack of the sleep contains this function. */
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
