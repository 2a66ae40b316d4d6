// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * many-binaries DIRECTORY [COUNT]: sleeps once in each of COUNT (10000) executable files, one after
 * the other. The directory never contains more than one file.
 *
 * Prints `slept COUNT` when done.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/programs/program.h"

/*
 * mov $35, %eax; syscall; ret. The arguments of the function are those of the system call
 * nanosleep.
 */
static const unsigned char sleep_code[] = {0xb8, 35, 0, 0, 0, 0x0f, 0x05, 0xc3};

enum { FILE_BYTES = 4096 };

static void write_file(const char *path)
{
	unsigned char page[FILE_BYTES];
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0755);

	memset(page, 0xcc, sizeof(page));
	memcpy(page, sleep_code, sizeof(sleep_code));
	if (fd < 0 || write(fd, page, sizeof(page)) != sizeof(page))
		err(1, "%s", path);
	close(fd);
}

static void sleep_in(const char *path)
{
	struct timespec ts = {.tv_nsec = 1000};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int (*sleep_there)(const struct timespec *, struct timespec *);
	void *code;

	if (fd < 0)
		err(1, "%s", path);
	code = mmap(NULL, FILE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (code == MAP_FAILED)
		err(1, "mmap %s", path);
	close(fd);
	memcpy(&sleep_there, &code, sizeof(code));
	if (sleep_there(&ts, NULL))
		errx(1, "nanosleep in %s failed", path);
	munmap(code, FILE_BYTES);
}

int main(int argc, char **argv)
{
	unsigned long count = program_arg(argc, argv, 2, 10000), i;
	char path[4096];

	if (argc < 2)
		errx(1, "usage: many-binaries DIRECTORY [COUNT]");
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/binary-%d-%lu", argv[1], (int)getpid(), i);
		write_file(path);
		sleep_in(path);
		unlink(path);
	}
	printf("slept %lu\n", count);
	return 0;
}
