/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load EVENTS_PER_S SECONDS: makes a known number of scheduler events. On each CPU, two processes
 * pass a byte back and forth. A round trip is two switches and two wakeups. Prints `events N in S
 * s`. N counts only the round trips; the sleeps between the steps add about 300 events per second
 * on each CPU.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EVENTS_PER_TRIP 4
#define STEP_NS		10000000ULL
#define NS_PER_S	1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = {.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/*
 * Makes this process a batch task on a CPU. A batch task does not preempt the running task when it
 * is woken; if it did, there would be no wakeups.
 */
static void settle_on(int cpu)
{
	struct sched_param param = {0};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0 ||
	    sched_setscheduler(0, SCHED_BATCH, &param) < 0)
		err(1, "CPU %d", cpu);
}

struct pair {
	int ping[2], pong[2];
};

static void answer(const struct pair *pair)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(pair->ping[1]);
	while (read(pair->ping[0], &byte, 1) == 1)
		if (write(pair->pong[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static void pass(const struct pair *pair)
{
	char byte = 0;

	if (write(pair->ping[1], &byte, 1) != 1 || read(pair->pong[0], &byte, 1) != 1)
		errx(1, "the other one is gone");
}

static uint64_t play(const struct pair *pair, uint64_t trips_per_step, uint64_t start_ns,
		     uint64_t end_ns)
{
	uint64_t trips = 0, step_ns = start_ns;

	while (step_ns < end_ns) {
		for (uint64_t i = 0; i < trips_per_step && now_ns() < step_ns + STEP_NS; i++) {
			pass(pair);
			trips++;
		}
		step_ns += STEP_NS;
		sleep_until(step_ns);
	}
	return trips;
}

static void play_on(int cpu, int result_fd, uint64_t trips_per_step, uint64_t start_ns,
		    uint64_t end_ns)
{
	struct pair pair;
	uint64_t trips;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	settle_on(cpu);
	if (pipe(pair.ping) < 0 || pipe(pair.pong) < 0)
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		answer(&pair);
	trips = play(&pair, trips_per_step, start_ns, end_ns);
	if (write(result_fd, &trips, sizeof(trips)) != sizeof(trips))
		err(1, "write");
	_exit(0);
}

int main(int argc, char **argv)
{
	uint64_t rate, seconds, start_ns, sum = 0, trips;
	int cpu_cnt = 0, results[2];
	cpu_set_t cpus;

	if (argc != 3)
		errx(2, "usage: load EVENTS_PER_S SECONDS");
	rate = strtoull(argv[1], NULL, 10);
	seconds = strtoull(argv[2], NULL, 10);
	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || pipe(results) < 0)
		err(1, "start");
	start_ns = now_ns() + STEP_NS;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		cpu_cnt++;
		if (fork() == 0)
			play_on(cpu, results[1],
				rate * STEP_NS / NS_PER_S / EVENTS_PER_TRIP /
					(uint64_t)CPU_COUNT(&cpus),
				start_ns, start_ns + seconds * NS_PER_S);
	}
	close(results[1]);
	for (int i = 0; i < cpu_cnt; i++) {
		if (read(results[0], &trips, sizeof(trips)) != sizeof(trips))
			errx(1, "a CPU's process failed");
		sum += trips;
	}
	while (wait(NULL) > 0)
		;
	printf("events %llu in %llu s\n", (unsigned long long)sum * EVENTS_PER_TRIP,
	       (unsigned long long)seconds);
	return 0;
}
