// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pass [ROUNDS] [WORK_US]: the toy of the RSP paper. Two processes, two pipes, one token. Whoever
 * has the token works for WORK_US (2000) of CPU, writes it into the other's pipe and reads from its
 * own. So each waits while, and only while, the other runs; there is nothing else to wait for.
 *
 * The process that was started is player A; it forks player B, moves first, and ends by waiting for
 * B's exit. Prints `pid A B` before it begins, `passed ROUNDS` when done.
 */
#include "program.h"

enum { READ, WRITE };

static void pass_token(int fd)
{
	if (write(fd, "t", 1) != 1)
		err(1, "write");
}

static void take_token(int fd)
{
	char token;

	if (read(fd, &token, 1) != 1)
		err(1, "read");
}

static void play_b(const int to_a[2], const int to_b[2], unsigned long rounds, unsigned long us)
{
	while (rounds--) {
		take_token(to_b[READ]);
		program_work(us);
		pass_token(to_a[WRITE]);
	}
}

static void play_a(const int to_a[2], const int to_b[2], unsigned long rounds, unsigned long us)
{
	while (rounds--) {
		program_work(us);
		pass_token(to_b[WRITE]);
		take_token(to_a[READ]);
	}
}

int main(int argc, char **argv)
{
	unsigned long rounds = program_arg(argc, argv, 1, 100);
	unsigned long us = program_arg(argc, argv, 2, 2000);
	int to_a[2], to_b[2];
	pid_t b;

	if (pipe(to_a) || pipe(to_b))
		err(1, "pipe");
	b = program_fork();
	if (b == 0) {
		play_b(to_a, to_b, rounds, us);
		return 0;
	}
	printf("pid %d %d\n", (int)getpid(), (int)b);
	fflush(stdout);
	play_a(to_a, to_b, rounds, us);
	program_join(b);
	printf("passed %lu\n", rounds);
	return 0;
}
