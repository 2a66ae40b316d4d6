// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * late-poll [OPTIONS] [ROUNDS] [WORK_MS]: waits as curl does for a name lookup. In each of ROUNDS
 * (20) rounds a worker works for WORK_MS (10) milliseconds. Meanwhile the main thread polls a pipe
 * that nobody writes to, for 1 ms, then 2, 4, 8, … After each poll it checks whether the worker is
 * done. The worker sets a flag and ends. Nothing wakes the main thread, which sees the flag when
 * its timeout expires.
 *
 *	--sleep		call usleep() instead of poll()
 *	--wake		use one worker for all rounds; the worker sleeps between rounds
 *	--once		poll for 4 * WORK_MS, so that one poll is usually enough
 *	--every MS	poll for MS milliseconds each time
 *	--read		the worker does not compute: it reads the answer of another process
 *	--prompt	the worker writes to the polled file, so the main thread is never late
 *
 * Prints `pid N` before it begins, `late ROUNDS NS` when done. NS is the sum over all rounds of the
 * time from the worker's last action until the main thread's timeout or wakeup.
 */
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

#include "tests/programs/program.h"

static struct {
	int sleep, wake, once, read, prompt;
	unsigned long every_ms, rounds, work_ms;
} opt;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static unsigned long asked_cnt;

/* time at which the worker was done; 0: the worker is busy. Accessed atomically. */
static uint64_t done_ns;
static int event_fd;		/* --prompt */
static int query_fd, answer_fd; /* --read */

static uint64_t now_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void serve(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1) {
		program_work(opt.work_ms * 1000);
		if (write(out, &byte, 1) != 1)
			err(1, "write of an answer");
	}
}

static pid_t start_server(void)
{
	int query[2], answer[2];
	pid_t pid;

	if (pipe(query) || pipe(answer))
		err(1, "pipe");
	pid = program_fork();
	if (pid == 0) {
		close(query[1]);
		serve(query[0], answer[1]);
		_exit(0);
	}
	close(query[0]);
	query_fd = query[1];
	answer_fd = answer[0];
	return pid;
}

static void look_up(void)
{
	uint64_t one = 1;
	char byte = 0;

	if (!opt.read)
		program_work(opt.work_ms * 1000);
	else if (write(query_fd, &byte, 1) != 1 || read(answer_fd, &byte, 1) != 1)
		err(1, "query");
	__atomic_store_n(&done_ns, now_ns(), __ATOMIC_RELEASE);
	if (opt.prompt && write(event_fd, &one, sizeof(one)) != sizeof(one))
		err(1, "write to an eventfd");
}

static void *work_once(void *arg)
{
	if (prctl(PR_SET_NAME, "lookup"))
		err(1, "prctl");
	look_up();
	return NULL;
}

static void *work_always(void *arg)
{
	unsigned long i;

	if (prctl(PR_SET_NAME, "lookup"))
		err(1, "prctl");
	for (i = 0; i < opt.rounds; i++) {
		pthread_mutex_lock(&mutex);
		while (asked_cnt <= i)
			pthread_cond_wait(&asked, &mutex);
		pthread_mutex_unlock(&mutex);
		look_up();
	}
	return NULL;
}

/*
 * Returns the time at which the pause should have ended. On a busy machine the pause takes longer.
 */
static uint64_t pause_for(int fd, unsigned long ms)
{
	struct pollfd pfd = {.fd = fd, .events = POLLIN};
	uint64_t until_ns = now_ns() + ms * 1000000;

	if (opt.sleep)
		usleep((useconds_t)ms * 1000);
	else if (poll(&pfd, 1, (int)ms) < 0)
		err(1, "poll");
	return until_ns;
}

/*
 * Returns the time from the worker's end until the last pause ended, or should have ended if it
 * took too long.
 */
static uint64_t look_until_done(int fd)
{
	unsigned long ms = opt.once ? 4 * opt.work_ms : opt.every_ms ? opt.every_ms : 1;
	uint64_t until = 0, now, done;

	while (!(done = __atomic_load_n(&done_ns, __ATOMIC_ACQUIRE))) {
		until = pause_for(fd, ms);
		if (!opt.every_ms && !opt.once)
			ms *= 2;
	}
	now = now_ns();
	if (now < until)
		until = now;
	return until > done ? until - done : 0;
}

/*
 * Begins a round: with --wake, wakes the worker, and starts it in the first round; without --wake,
 * starts a new worker.
 */
static void begin(unsigned long round, pthread_t *worker)
{
	__atomic_store_n(&done_ns, 0, __ATOMIC_RELEASE);
	if (round == 0 || !opt.wake)
		if (pthread_create(worker, NULL, opt.wake ? work_always : work_once, NULL))
			errx(1, "pthread_create");
	if (!opt.wake)
		return;
	pthread_mutex_lock(&mutex);
	asked_cnt++;
	pthread_cond_signal(&asked);
	pthread_mutex_unlock(&mutex);
}

static uint64_t play(int fd)
{
	uint64_t late_ns = 0, drained;
	pthread_t worker;
	unsigned long i;

	for (i = 0; i < opt.rounds; i++) {
		begin(i, &worker);
		late_ns += look_until_done(fd);
		if (!opt.wake || i == opt.rounds - 1)
			pthread_join(worker, NULL);
		if (opt.prompt && read(fd, &drained, sizeof(drained)) != sizeof(drained))
			err(1, "read of an eventfd");
	}
	return late_ns;
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{"sleep", no_argument, &opt.sleep, 1},
		{"wake", no_argument, &opt.wake, 1},
		{"once", no_argument, &opt.once, 1},
		{"read", no_argument, &opt.read, 1},
		{"prompt", no_argument, &opt.prompt, 1},
		{"every", required_argument, NULL, 'e'},
		{0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'e')
			opt.every_ms = program_arg(1, &optarg, 0, 1);
		else if (c != 0)
			exit(1);
	}
	opt.rounds = program_arg(argc, argv, optind, 20);
	opt.work_ms = program_arg(argc, argv, optind + 1, 10);
}

int main(int argc, char **argv)
{
	pid_t server = -1;
	uint64_t late_ns;
	int silent[2];

	parse(argc, argv);
	event_fd = eventfd(0, 0);
	if (event_fd < 0 || pipe(silent))
		err(1, "eventfd or pipe");
	if (opt.read)
		server = start_server();
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	late_ns = play(opt.prompt ? event_fd : silent[0]);
	if (opt.read) {
		close(query_fd);
		program_join(server);
	}
	printf("late %lu %llu\n", opt.rounds, (unsigned long long)late_ns);
	return 0;
}
