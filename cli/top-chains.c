/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See top-chains.h. A child makes the report as `rspctl snapshot` does, and writes it to a memfd.
 */
#include "cli/top-chains.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/pipeline.h"
#include "cli/recent.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

#define LAST_NS	  5000000000ULL
#define LINES_MAX 10000

static _Noreturn void report(const struct rsp_options *opt, unsigned int pid, int cols, int fd)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = {.socket = opt->socket, .pid = (pid_t)pid, .last_ns = LAST_NS};
	char columns[16];
	int r;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(RSP_EXIT_FAILURE);
	snprintf(columns, sizeof(columns), "%d", cols);
	setenv("COLUMNS", columns, 1);
	r = rsp_recent_take(&all, false, &fresh);
	all.pid = 0;
	if (!r)
		r = rsp_pipeline_explain(fresh.fd, "the recording", &all, NULL, NULL);
	fflush(stdout);
	_exit(r);
}

static int read_lines(int fd, struct rsp_top_text *ret)
{
	_cleanup_free_ char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	FILE *f;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	f = fdopen(fd, "r");
	if (!f)
		return -errno;
	while (ret->cnt < LINES_MAX && (len = getline(&line, &cap, f)) > 0) {
		char **slot = rsp_array_add(ret);

		if (slot) {
			line[strcspn(line, "\n")] = '\0';
			rsp_text_clean(line);
			*slot = strdup(line);
		}
		if (!slot || !*slot) {
			ret->cnt -= slot != NULL;
			break;
		}
	}
	fclose(f);
	return 0;
}

/* Polls instead of blocking in waitpid(), so that a signal that sets *stop ends the wait. */
static void await_child(pid_t pid, const volatile sig_atomic_t *stop)
{
	struct timespec tick = {.tv_nsec = 20000000};

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (*stop) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
			return;
		}
		nanosleep(&tick, NULL);
	}
}

int rsp_top_chains(const struct rsp_options *opt, unsigned int pid, int cols,
		   const volatile sig_atomic_t *stop, struct rsp_top_text *ret)
{
	_cleanup_close_ int fd = memfd_create("rsp-chains", MFD_CLOEXEC);
	struct rsp_top_text text = {0};
	pid_t child;
	int r;

	if (fd < 0)
		return -errno;
	fflush(NULL);
	child = fork();
	if (child < 0)
		return -errno;
	if (child == 0)
		report(opt, pid, cols, fd);
	await_child(child, stop);
	r = read_lines(rsp_take_fd(&fd), &text);
	if (r == 0)
		*ret = text;
	return r;
}

void rsp_top_text_done(struct rsp_top_text *text)
{
	for (size_t i = 0; i < text->cnt; i++)
		free(text->v[i]);
	free(text->v);
	*text = (struct rsp_top_text){0};
}
