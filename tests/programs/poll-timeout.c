// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * poll-timeout [ROUNDS] [TIMEOUT_MS]: polls a pipe that nobody writes to, ROUNDS (10) times. The
 * timeout is TIMEOUT_MS (20) milliseconds.
 *
 * Prints `pid N` before it begins, `timed-out ROUNDS` when done.
 */
#include <poll.h>

#include "tests/programs/program.h"

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 10), i;
	unsigned long ms = program_arg(argc, argv, 2, 20);
	struct pollfd pfd = {.events = POLLIN};
	int fds[2];

	if (pipe(fds))
		err(1, "pipe");
	pfd.fd = fds[0];
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (i = 0; i < rounds; i++)
		if (poll(&pfd, 1, (int)ms) != 0)
			errx(1, "poll did not time out");
	printf("timed-out %lu\n", rounds);
	return 0;
}
