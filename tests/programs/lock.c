// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock [THREADS] [ROUNDS] [HOLD_US]: a lock convoy. THREADS (3) threads, named lock-1, lock-2, …,
 * take the same mutex ROUNDS (50) times each. The holder works for HOLD_US (1000) microseconds of
 * CPU time.
 *
 * Prints `pid N` before it begins, `locked TIMES` when done.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "tests/programs/program.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long rounds, hold_us, times;

static void *contend(void *arg)
{
	char name[16];
	unsigned long i;

	snprintf(name, sizeof(name), "lock-%lu", (unsigned long)(uintptr_t)arg);
	if (prctl(PR_SET_NAME, name))
		err(1, "prctl");
	for (i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		program_work(hold_us);
		times++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long threads = program_arg(argc, argv, 1, 3), i;
	pthread_t *ids;

	rounds = program_arg(argc, argv, 2, 50);
	hold_us = program_arg(argc, argv, 3, 1000);
	ids = calloc(threads, sizeof(*ids));
	if (!ids)
		err(1, "calloc");
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, contend, (void *)(uintptr_t)(i + 1)))
			errx(1, "pthread_create");
	for (i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	printf("locked %lu\n", times);
	return 0;
}
