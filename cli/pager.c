/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pager.h. */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/isolated.h"
#include "cli/progress.h"
#include "lib/base/cleanup.h"

static struct {
	pid_t pid;
	int terminal; /* a duplicate of stdout, made before the pager started */
} pager = {.pid = -1, .terminal = -1};

/* Returns NULL for the default pagers. */
static const char *chosen_command(void)
{
	const char *command = getenv("RSP_PAGER");

	return command ? command : getenv("PAGER");
}

static bool is_wanted(const struct rsp_options *opt)
{
	const char *command = chosen_command(), *term = getenv("TERM");

	return !opt->no_pager && opt->json == RSP_JSON_OFF && !opt->output &&
	       isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") &&
	       !(command && (!*command || !strcmp(command, "cat")));
}

/* Used if no pager is installed. */
static _Noreturn void copy(void)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0)
		for (ssize_t done = 0, k; done < n; done += k) {
			k = write(STDOUT_FILENO, buf + done, (size_t)(n - done));
			if (k < 0)
				_exit(EXIT_FAILURE);
		}
	_exit(EXIT_SUCCESS);
}

/* If rspctl dies, the kernel sends SIGTERM to the pager, and the pager restores the terminal. */
static _Noreturn void show(int text, pid_t parent)
{
	const char *command = chosen_command();

	if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) < 0 || getppid() != parent ||
	    dup2(text, STDIN_FILENO) < 0)
		_exit(EXIT_FAILURE);
	/*
	 * Options of less: F: exit at once if the text fits on the screen; R: show colours; X:
	 * leave the text on the screen.
	 */
	setenv("LESS", "FRX", 0);
	setenv("LESSCHARSET", "utf-8", 0);
	/*
	 * LESSSECURE: less must not start other programs, because sudo may allow this user only
	 * rspctl.
	 */
	if (getenv("SUDO_UID"))
		setenv("LESSSECURE", "1", 1);
	if (command)
		execl("/bin/sh", "sh", "-c", command, NULL);
	execlp("less", "less", NULL);
	execlp("more", "more", NULL);
	copy();
}

/* Handles SIGPIPE: the user has left the pager, so the rest of the text is not needed. */
static void on_left(int signal)
{
	(void)signal;
	_exit(RSP_EXIT_OK);
}

void rsp_pager_begin(const struct rsp_options *opt)
{
	_cleanup_close_ int terminal = -1;
	pid_t self = getpid();
	int ends[2];

	if (!is_wanted(opt) || fflush(stdout) != 0)
		return;
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (terminal < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return;
	pager.pid = fork();
	if (pager.pid == 0)
		show(ends[0], self);
	if (pager.pid > 0 && dup2(ends[1], STDOUT_FILENO) >= 0) {
		signal(SIGPIPE, on_left);
		pager.terminal = terminal;
		terminal = -1;
	}
	close(ends[0]);
	close(ends[1]);
}

/* Ignores Ctrl-C while the pager runs: the pager handles Ctrl-C and returns to its prompt. */
int rsp_pager_end(int r)
{
	int status = 0;

	if (pager.pid <= 0)
		return r;
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	fflush(stdout);
	dup2(pager.terminal, STDOUT_FILENO);
	while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	rsp_cleanup_close(&pager.terminal);
	pager.pid = -1;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return rsp_fail(0, "the pager failed: --no-pager prints without one, and "
				   "$RSP_PAGER names another");
	return r;
}

int rsp_paged(const struct rsp_options *opt, const struct rsp_isolated *job)
{
	int r;

	rsp_pager_begin(opt);
	rsp_progress_begin("reading the records");
	r = rsp_isolated(job);
	rsp_progress_end();
	return rsp_pager_end(r);
}
