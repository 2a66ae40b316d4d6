/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See otlp-spans.h. */
#include "export/otlp-spans.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

#define STOP_INTERVAL_MS 500

/* snapshot becomes stdin, and out becomes stdout. Returns 0 or -errno. */
static int start(const char *program, int snapshot, int out, pid_t *ret)
{
	char *argv[] = {(char *)"rsp-spans", NULL}, *envp[] = {NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int r;

	if (posix_spawn_file_actions_init(&actions))
		return -ENOMEM;
	if (posix_spawnattr_init(&attr)) {
		posix_spawn_file_actions_destroy(&actions);
		return -ENOMEM;
	}
	/* The child must not inherit the signals that rsp-export blocks and ignores. */
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn_file_actions_adddup2(&actions, snapshot, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
	if (r == 0)
		r = posix_spawn(ret, program, &actions, &attr, argv, envp);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

/* Returns 0, -ECANCELED if stop() returned true, or another -errno. */
static int await_end(int pidfd, bool (*stop)(void *), void *userdata)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};

	for (;;) {
		int n = poll(&p, 1, STOP_INTERVAL_MS);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (stop && stop(userdata))
			return -ECANCELED;
	}
}

static int result_of(pid_t pid, bool (*stop)(void *), void *userdata)
{
	_cleanup_close_ int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int r = pidfd < 0 ? -errno : await_end(pidfd, stop, userdata);
	int status;

	if (r < 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (r < 0)
		return r;
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS ? 0 : -EBADMSG;
}

int rsp_otlp_spans(const char *program, int snapshot, bool (*stop)(void *userdata), void *userdata,
		   int *ret)
{
	_cleanup_close_ int out = memfd_create("rsp-spans", MFD_CLOEXEC);
	pid_t pid;
	int r;

	if (out < 0)
		return -errno;
	r = start(program, snapshot, out, &pid);
	if (r == 0)
		r = result_of(pid, stop, userdata);
	if (r < 0)
		return r;
	if (lseek(out, 0, SEEK_SET) < 0)
		return -errno;
	*ret = rsp_take_fd(&out);
	return 0;
}
