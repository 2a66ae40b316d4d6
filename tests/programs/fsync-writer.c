// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fsync-writer FILE [ROUNDS] [KIB]: appends KIB (64) kibibytes to FILE and calls fsync(), ROUNDS
 * (20) times.
 *
 * Prints `pid N` before it begins, `synced ROUNDS` and `waited NS`, the time in fsync, when done.
 */
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "tests/programs/program.h"

static unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned long long waited_ns = 0, from_ns;
	unsigned long rounds, bytes, i;
	char *block;
	int fd;

	if (argc < 2)
		errx(1, "usage: fsync-writer FILE [ROUNDS] [KIB]");
	rounds = program_arg(argc, argv, 2, 20);
	bytes = program_arg(argc, argv, 3, 64) * 1024;
	block = malloc(bytes);
	if (!block)
		err(1, "malloc");
	memset(block, 'r', bytes);
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		err(1, "%s", argv[1]);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (i = 0; i < rounds; i++) {
		if (write(fd, block, bytes) != (ssize_t)bytes)
			err(1, "write");
		from_ns = now_ns();
		if (fsync(fd))
			err(1, "fsync");
		waited_ns += now_ns() - from_ns;
	}
	free(block);
	printf("synced %lu\n", rounds);
	printf("waited %llu\n", waited_ns);
	return 0;
}
