// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal [BYTES]: writes BYTES (200) bytes to one end of a pseudoterminal, one at a time. A
 * kernel worker carries each byte to the other end, where the program reads it before it writes the
 * next byte.
 *
 * Prints `pid PID` before it begins, `wrote BYTES` when done.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "tests/programs/program.h"

static void make_raw(int fd)
{
	struct termios mode;

	if (tcgetattr(fd, &mode))
		err(1, "tcgetattr");
	cfmakeraw(&mode);
	if (tcsetattr(fd, TCSANOW, &mode))
		err(1, "tcsetattr");
}

int main(int argc, char **argv)
{
	unsigned long bytes = program_arg(argc, argv, 1, 200);
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	char byte = 'x';

	if (master < 0 || unlockpt(master))
		err(1, "/dev/ptmx");
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0)
		err(1, "%s", ptsname(master));
	make_raw(slave);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	for (unsigned long i = 0; i < bytes; i++)
		if (write(master, &byte, 1) != 1 || read(slave, &byte, 1) != 1)
			err(1, "pseudoterminal");
	printf("wrote %lu\n", bytes);
	return 0;
}
