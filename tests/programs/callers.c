// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * callers [MS]: computes for MS (400) milliseconds of CPU time in inlined functions. main calls
 * outer, into which inner is inlined. innermost is inlined into inner.
 *
 * Prints `computed MS` when done.
 */
#include "tests/programs/program.h"

static volatile unsigned long sum;

static inline __attribute__((always_inline)) void innermost(void)
{
	for (unsigned long i = 0; i < 100000; i++)
		sum += i * i;
}

static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	while (n--)
		innermost();
}

static __attribute__((noinline)) void outer(uint64_t until_ns)
{
	while (program_cpu_ns() < until_ns)
		inner(10);
}

int main(int argc, char **argv)
{
	unsigned long ms = program_arg(argc, argv, 1, 400);

	outer(program_cpu_ns() + ms * 1000000);
	printf("computed %lu\n", ms);
	return 0;
}
