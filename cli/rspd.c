/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rspd.h. */
#include "cli/rspd.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/rspctl.h"
#include "lib/base/cleanup.h"

/* --- starting rspd ---------------------------------------------------------------------------- */

static int set_actions(posix_spawn_file_actions_t *actions, const struct rsp_rspd_fds *fds)
{
	int r;

	r = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(actions, fds->output, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(actions, fds->error, STDERR_FILENO);
	/*
	 * This must come last: descriptor 3 may be fds->output or fds->error, which are duplicated
	 * by now.
	 */
	if (r == 0 && fds->private >= 0)
		r = posix_spawn_file_actions_adddup2(actions, fds->private, 3);
	return r;
}

/*
 * Returns a copy of argv with pointers to the words appended, or NULL if out of memory. The caller
 * frees the result.
 */
static char **append_words(char *const argv[], char *words)
{
	size_t cnt = 0, max = strlen(words) / 2 + 2;
	char **all, *rest;

	while (argv[cnt])
		cnt++;
	all = calloc(cnt + max, sizeof(*all));
	if (!all)
		return NULL;
	memcpy(all, argv, cnt * sizeof(*all));
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		all[cnt++] = w;
	return all;
}

int rsp_rspd_spawn(const char *path, char *const argv[], const struct rsp_rspd_fds *fds,
		   pid_t *ret_pid)
{
	const char *user_args = getenv("RSP_RSPD_ARGS");
	_cleanup_free_ char *words = strdup(user_args ? user_args : "");
	_cleanup_free_ char **all = words ? append_words(argv, words) : NULL;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int r;

	if (!all)
		return -ENOMEM;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	r = set_actions(&actions, fds);
	if (r == 0)
		r = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
	if (r == 0)
		r = posix_spawn(ret_pid, path, &actions, &attr, all, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

/* --- the end of rspd -------------------------------------------------------------------------- */

static void last_line(int log_fd, char *buf, size_t len)
{
	off_t end = lseek(log_fd, 0, SEEK_END);
	off_t start = end > (off_t)len - 1 ? end - ((off_t)len - 1) : 0;
	ssize_t n = pread(log_fd, buf, len - 1, start);
	char *line;

	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n > 0 ? n : 0] = '\0';
	line = strrchr(buf, '\n');
	line = line ? line + 1 : buf;
	if (!strncmp(line, "rspd: ", 6))
		line += 6;
	memmove(buf, line, strlen(line) + 1);
}

char *rsp_rspd_exit_message(int log_fd, int status, char *buf, size_t len)
{
	if (WIFSIGNALED(status))
		snprintf(buf, len, "rspd was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		last_line(log_fd, buf, len);
	return buf;
}

/* rspd uses the same exit statuses as rspctl. */
int rsp_rspd_status_to_errno(int status)
{
	if (!WIFEXITED(status))
		return -EIO;
	if (WEXITSTATUS(status) == RSP_EXIT_OK)
		return 0;
	return WEXITSTATUS(status) == RSP_EXIT_DENIED ? -EPERM : -EIO;
}
