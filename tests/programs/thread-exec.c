// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thread-exec: a thread other than the first one of its process executes this program again.
 *
 * Prints `thread TID` before the exec, and `pid PID` after it.
 */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>

#include "tests/programs/program.h"

static void *run_anew(void *path)
{
	printf("thread %d\n", (int)syscall(SYS_gettid));
	fflush(stdout);
	execl(path, path, "again", (char *)NULL);
	err(1, "%s", (const char *)path);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "again") == 0) {
		printf("pid %d\n", (int)getpid());
		return 0;
	}
	if (pthread_create(&thread, NULL, run_anew, argv[0]))
		errx(1, "a thread cannot be made");
	pthread_join(thread, NULL); /* does not return: the exec ends all other threads */
	return 1;
}
