// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * accounted COMMAND...: runs a command, and prints the times that the kernel accounted to it:
 *
 *	schedstat RUN_NS WAIT_NS	time of its first thread on a CPU and on the run queue
 *	times USER_NS SYSTEM_NS		CPU time of all its threads and of its reaped children
 *	lived NS			the time from the fork to the end of the process
 *
 * The output of the command goes to /dev/null.
 */
#include <fcntl.h>
#include <sys/resource.h>

#include "tests/programs/program.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static uint64_t ns_of(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000 + (uint64_t)tv->tv_usec * 1000;
}

static void execute(char **argv)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		err(1, "/dev/null");
	execvp(argv[0], argv);
	err(1, "%s", argv[0]);
}

int main(int argc, char **argv)
{
	uint64_t from_ns = now_ns();
	struct rusage used;
	siginfo_t info;
	int status;
	pid_t pid;

	if (argc < 2)
		errx(1, "usage: accounted COMMAND...");
	pid = program_fork();
	if (pid == 0)
		execute(argv + 1);
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		err(1, "waitid");
	printf("lived %llu\n", (unsigned long long)(now_ns() - from_ns));
	program_print_schedstat(pid);
	if (wait4(pid, &status, 0, &used) != pid)
		err(1, "wait4");
	printf("times %llu %llu\n", (unsigned long long)ns_of(&used.ru_utime),
	       (unsigned long long)ns_of(&used.ru_stime));
	if (status)
		errx(1, "%s ended with status 0x%x", argv[1], (unsigned int)status);
	return 0;
}
