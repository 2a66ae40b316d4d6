// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scribble FILE GIGABYTES: runs code from a sparse FILE of GIGABYTES, which begins with a copy of
 * this program. A child process continuously overwrites, extends and truncates the file, but not
 * the page with the code. The code calls a function that sleeps 200 times.
 *
 * Prints `task TID` and `pid N` before the code runs, and `done` at the end.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/programs/program.h"

#define CODE_OFF (1 << 20)

/*
 * machine code of void f(void (*callee)(void)): push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
 */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

static __attribute__((noinline)) void innermost(void)
{
	const struct timespec pause = {.tv_nsec = 2000000};

	for (int i = 0; i < 200; i++)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	program_work(20000);
}

static void copy_self(int to)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char buf[1 << 16];
	ssize_t len;

	if (from < 0)
		err(1, "/proc/self/exe");
	while ((len = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)len) != len)
			err(1, "write");
	close(from);
}

static void scribble(int fd, off_t size)
{
	unsigned int seed = 1;

	for (;;) {
		unsigned int at = (unsigned int)rand_r(&seed) % (1 << 17);
		int word = rand_r(&seed);

		if (pwrite(fd, &word, sizeof(word), at) < 0 || ftruncate(fd, size + at))
			err(1, "pwrite");
		usleep(100);
	}
}

int main(int argc, char **argv)
{
	off_t size = (off_t)program_arg(argc, argv, 2, 1) << 30;
	int fd = argc == 3 ? open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0755) : -1;
	void *page;
	pid_t pid;

	if (fd < 0)
		err(1, "usage: scribble FILE GIGABYTES");
	copy_self(fd);
	if (pwrite(fd, code, sizeof(code), CODE_OFF) != sizeof(code) || ftruncate(fd, size))
		err(1, "%s", argv[1]);
	page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, CODE_OFF);
	if (page == MAP_FAILED)
		err(1, "mmap");
	printf("task %d\npid %d\n", (int)getpid(), (int)getpid());
	pid = program_fork();
	if (pid == 0)
		scribble(fd, size);
	((void (*)(void (*)(void)))(uintptr_t)page)(innermost);
	kill(pid, SIGKILL);
	puts("done");
	return 0;
}
