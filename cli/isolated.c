/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See isolated.h. */
#include "cli/isolated.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/rspctl.h"
#include "lib/sandbox/sandbox.h"

static _Noreturn void in_sandbox(int (*work)(void *userdata), void *userdata)
{
	int r;

	tzset(); /* reads a file */
	r = rsp_sandbox_enter(SIZE_MAX, SIZE_MAX);
	r = r < 0 ? rsp_fail(r, "cannot give up root's rights: %m") : work(userdata);
	/* What libraries do at exit may be forbidden by now. */
	fflush(stdout);
	_exit(r);
}

static int result_of(pid_t pid, const char *name)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return rsp_fail(-errno, "cannot wait for what reads %s: %m", name);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* Who read our output has gone: it is ours, so we end of it, too. */
	if (WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE);
	return rsp_fail(
		0,
		"what reads %s was killed by signal %d (%s): the file may be damaged, or memory short",
		name, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int rsp_isolated(int (*work)(void *userdata), void *userdata, const char *name)
{
	pid_t pid;

	if (geteuid() != 0)
		return work(userdata);
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot start a process that reads %s: %m", name);
	if (pid == 0)
		in_sandbox(work, userdata);
	return result_of(pid, name);
}
