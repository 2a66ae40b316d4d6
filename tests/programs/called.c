// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * called NAME…: starts a child process with each NAME (the kernel keeps only 15 bytes of a name).
 * The child processes sleep until this program ends.
 *
 * Prints `ready` when all child processes have their names.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "tests/programs/program.h"

static void be_called(const char *name, int ready)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || prctl(PR_SET_NAME, name))
		err(1, "prctl");
	if (write(ready, "", 1) != 1)
		err(1, "pipe");
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int fds[2];
	char byte;

	if (pipe(fds))
		err(1, "pipe");
	for (int i = 1; i < argc; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (pid == 0)
			be_called(argv[i], fds[1]);
		if (read(fds[0], &byte, 1) != 1)
			err(1, "pipe");
	}
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}
