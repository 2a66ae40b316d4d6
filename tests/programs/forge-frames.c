/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forge-frames CNT: traces a child. While the child is stopped, sets its instruction pointer to a
 * forged address. The address looks like a frame in a binary of the recorder's stacks
 * (RSP_FRAME_IN_BINARY), with the number of a binary (1, 2, … CNT).
 *
 * Prints the child's PID, and "done" after the last address.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void await_stop(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		errx(1, "the child did not stop");
}

/*
 * SIGUSR2 is pending, so the child stops again at once. It leaves the CPU with the forged
 * instruction pointer.
 */
static void forge(pid_t child, unsigned long address)
{
	struct user_regs_struct regs;
	unsigned long good;

	await_stop(child);
	if (ptrace(PTRACE_GETREGS, child, 0, &regs) < 0)
		err(1, "PTRACE_GETREGS");
	good = regs.rip;
	regs.rip = address;
	if (ptrace(PTRACE_SETREGS, child, 0, &regs) < 0)
		err(1, "PTRACE_SETREGS");
	kill(child, SIGUSR2);
	ptrace(PTRACE_CONT, child, 0, 0);
	await_stop(child);
	regs.rip = good;
	ptrace(PTRACE_SETREGS, child, 0, &regs);
	ptrace(PTRACE_CONT, child, 0, 0);
}

int main(int argc, char **argv)
{
	unsigned long cnt = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME);
		for (;;)
			raise(SIGUSR1);
	}
	alarm(240); /* in case the test was interrupted */
	printf("%d\n", (int)child);
	fflush(stdout);
	for (unsigned long number = 1; number <= cnt; number++)
		forge(child, 1UL << 63 | number << 40 | 0x1000);
	await_stop(child);
	puts("done");
	fflush(stdout);
	for (;;)
		pause();
}
