/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of the test programs. On wrong usage or failure, the program prints a line on stderr and
 * exits with status 1.
 */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Returns the i-th argument, a number above 0, or fallback if the argument is missing. */
static inline unsigned long program_arg(int argc, char **argv, int i, unsigned long fallback)
{
	unsigned long v;
	char *end;

	if (i >= argc)
		return fallback;
	errno = 0;
	v = strtoul(argv[i], &end, 10);
	if (errno || *end || end == argv[i] || v == 0)
		errx(1, "'%s' is no number above 0", argv[i]);
	return v;
}

static inline uint64_t program_cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * Works until this thread has used `us` more microseconds of CPU time, all of it in user space
 * except for reading the clock.
 */
static inline void program_work(unsigned long us)
{
	uint64_t end_ns = program_cpu_ns() + us * 1000;
	volatile unsigned int spin;

	while (program_cpu_ns() < end_ns)
		for (spin = 0; spin < 5000; spin++)
			;
}

/* Flushes stdout before the fork: otherwise the child would print the buffered output again. */
static inline pid_t program_fork(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	return pid;
}

static inline void program_join(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0)
		err(1, "waitpid");
	if (status)
		errx(1, "child %d ended with status 0x%x", (int)pid, (unsigned int)status);
}

/*
 * Prints `schedstat RUN_NS WAIT_NS` of a child that has ended and is not reaped yet. For a running
 * thread, the file would lack the time since the last tick.
 */
static inline void program_print_schedstat(pid_t pid)
{
	unsigned long long run_ns, wait_ns;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%llu %llu", &run_ns, &wait_ns) != 2)
		err(1, "cannot read %s", path);
	fclose(f);
	printf("schedstat %llu %llu\n", run_ns, wait_ns);
}

#endif
