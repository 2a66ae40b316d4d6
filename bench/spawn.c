/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawn SECONDS: on each CPU, a process creates children one after the other. Each child ends at
 * once. Prints the number of children per second.
 */
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static uint64_t spawn_until(uint64_t until_ns)
{
	uint64_t cnt = 0;

	for (; now_ns() < until_ns; cnt++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) < 0)
			err(1, "fork");
	}
	return cnt;
}

static void work_on(int cpu, uint64_t until_ns, int result)
{
	cpu_set_t set;
	uint64_t cnt;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		err(1, "CPU %d", cpu);
	cnt = spawn_until(until_ns);
	if (write(result, &cnt, sizeof(cnt)) != sizeof(cnt))
		err(1, "write");
	_exit(0);
}

int main(int argc, char **argv)
{
	long seconds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	int cpu_cnt = (int)sysconf(_SC_NPROCESSORS_ONLN), result[2];
	uint64_t until_ns, sum = 0, cnt;

	if (seconds < 1)
		errx(2, "usage: spawn SECONDS");
	if (pipe(result) < 0)
		err(1, "pipe");
	until_ns = now_ns() + (uint64_t)seconds * NS_PER_S;
	for (int cpu = 0; cpu < cpu_cnt; cpu++) {
		pid_t pid = fork();

		if (pid == 0)
			work_on(cpu, until_ns, result[1]);
		if (pid < 0)
			err(1, "fork");
	}
	for (int cpu = 0; cpu < cpu_cnt; cpu++) {
		if (read(result[0], &cnt, sizeof(cnt)) != sizeof(cnt))
			errx(1, "a process ended early");
		sum += cnt;
	}
	while (wait(NULL) > 0)
		;
	printf("%llu\n", (unsigned long long)(sum / (uint64_t)seconds));
	return 0;
}
