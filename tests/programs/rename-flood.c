// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rename-flood [CHILDREN]: four threads rename themselves in a loop. Meanwhile the first thread
 * makes CHILDREN (300) children one after the other. Each child renames itself twice and exits.
 *
 * Prints `renames COUNT`, `child PID` for each child (its last name is "child-last"), and `thread
 * TID` for each thread (its last name is "thread-last").
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/programs/program.h"

#define THREAD_CNT 4

static atomic_bool ended;
static pthread_barrier_t all_named;

struct flooder {
	pthread_t thread;
	int tid;
	unsigned long cnt;
};

static void *flood(void *userdata)
{
	struct flooder *self = userdata;
	char name[16];

	self->tid = (int)syscall(SYS_gettid);
	while (!ended) {
		snprintf(name, sizeof(name), "flood-%lu", self->cnt++ % 1000);
		prctl(PR_SET_NAME, name);
	}
	prctl(PR_SET_NAME, "thread-last");
	pthread_barrier_wait(&all_named);
	return NULL;
}

static void make_child(void)
{
	pid_t pid = program_fork();

	if (pid == 0) {
		prctl(PR_SET_NAME, "child-first");
		prctl(PR_SET_NAME, "child-last");
		_exit(0);
	}
	program_join(pid);
	printf("child %d\n", (int)pid);
}

int main(int argc, char **argv)
{
	unsigned long child_cnt = program_arg(argc, argv, 1, 300), renames = 0;
	struct flooder flooders[THREAD_CNT] = {0};

	pthread_barrier_init(&all_named, NULL, THREAD_CNT);
	for (int i = 0; i < THREAD_CNT; i++)
		if (pthread_create(&flooders[i].thread, NULL, flood, &flooders[i]))
			errx(1, "a thread cannot be made");
	while (child_cnt--)
		make_child();
	ended = true;
	for (int i = 0; i < THREAD_CNT; i++) {
		pthread_join(flooders[i].thread, NULL);
		renames += flooders[i].cnt;
		printf("thread %d\n", flooders[i].tid);
	}
	printf("renames %lu\n", renames);
	return 0;
}
