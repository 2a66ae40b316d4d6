// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thread-flood [COUNT]: starts COUNT (10000) threads, one after the other. Each of them ends at
 * once. Then starts a thread named "survivor", which runs until the program is killed.
 *
 * Prints `thread TID` of the survivor when it has its name.
 */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/programs/program.h"

static void *end_at_once(void *unused)
{
	return NULL;
}

static _Noreturn void *stay(void *unused)
{
	prctl(PR_SET_NAME, "survivor");
	printf("thread %d\n", (int)syscall(SYS_gettid));
	fflush(stdout);
	for (;;)
		pause();
}

static void run_thread(void *(*function)(void *))
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, function, NULL);

	if (error)
		errx(1, "a thread cannot be made: %s", strerror(error));
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	unsigned long cnt = program_arg(argc, argv, 1, 10000);

	while (cnt--)
		run_thread(end_at_once);
	run_thread(stay);
	return 0;
}
