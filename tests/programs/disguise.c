/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process whose owner or rights change. Tests run copies of this program with different names, by
 * which they recognize the processes.
 *
 *	disguise run               sleeps in a loop
 *	disguise close             makes itself undumpable (PR_SET_DUMPABLE), then sleeps in a loop
 *	disguise close-later       sleeps in a loop, and makes itself undumpable after a third of a
 *	                           second
 *	disguise close-and-end     like close-later, but ends after another third of a second
 *	disguise thread UID        a second thread changes its user; both threads sleep in a loop
 *	disguise become UID CMD…   sleeps for a third of a second, changes its user, executes CMD
 */
#include <err.h>
#include <grp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* about a third of a second, so that the recorder sees several switches in each phase */
#define PHASE_SLEEPS 300

static void sleep_often(int cnt)
{
	while (cnt-- > 0)
		usleep(1000);
}

static void sleep_forever(void)
{
	for (;;)
		usleep(1000);
}

static void close_itself(void)
{
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		err(1, "prctl");
}

/*
 * Makes the system calls directly: setresuid() of the C library would change the user of all
 * threads.
 */
static void *change_thread(void *uid)
{
	long id = atol(uid);

	if (syscall(SYS_setresgid, id, id, id) < 0 || syscall(SYS_setresuid, id, id, id) < 0)
		err(1, "%s", (char *)uid);
	sleep_forever();
	return NULL;
}

static void have_thread(char *uid)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, change_thread, uid) != 0)
		errx(1, "no thread");
	sleep_forever();
}

static void become(const char *uid, char **command)
{
	uid_t id = (uid_t)atol(uid);

	sleep_often(PHASE_SLEEPS);
	if (setgroups(0, NULL) < 0 || setresgid(id, id, id) < 0 || setresuid(id, id, id) < 0)
		err(1, "%s", uid);
	execv(command[0], command);
	err(1, "%s", command[0]);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	alarm(240); /* in case the test was interrupted */
	if (strcmp(mode, "become") == 0 && argc > 3)
		become(argv[2], argv + 3);
	if (strcmp(mode, "thread") == 0 && argc == 3)
		have_thread(argv[2]);
	if (strcmp(mode, "close") == 0)
		close_itself();
	if (strncmp(mode, "close-", 6) == 0) {
		sleep_often(PHASE_SLEEPS);
		close_itself();
	}
	if (strcmp(mode, "close-and-end") == 0) {
		sleep_often(PHASE_SLEEPS);
		return 0;
	}
	sleep_forever();
}
