/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See private-recorder.h. The recorder's stderr is a memfd, because a pipe would need a reader. */
#include "cli/private-recorder.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "cli/rspctl.h"
#include "cli/rspd.h"
#include "lib/base/cleanup.h"
#include "lib/files/program.h"

/* The recorder loads its BPF programs in about a second, or in half a minute on an emulated CPU. */
#define START_TIMEOUT_MS 120000

static int spawn(int private_fd, int log_fd, pid_t *ret_pid)
{
	char *argv[] = {"rspd", "--foreground", "--private-fd=3", NULL};
	struct rsp_rspd_fds fds = {.output = log_fd, .error = log_fd, .private = private_fd};
	_cleanup_free_ char *path = NULL;
	int r;

	r = rsp_program_find("rspd", &path);
	if (r < 0)
		return r;
	return rsp_rspd_spawn(path, argv, &fds, ret_pid);
}

int rsp_private_recorder_wait(struct rsp_private_recorder *recorder, char *buf, size_t len)
{
	int status, r;

	while (waitpid(recorder->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	r = rsp_rspd_status_to_errno(status);
	if (r < 0)
		rsp_rspd_exit_message(recorder->log_fd, status, buf, len);
	close(recorder->log_fd);
	return r;
}

int rsp_private_recorder_start(struct rsp_private_recorder *ret, struct rsp_client **ret_client)
{
	struct rsp_private_recorder recorder = {.log_fd = memfd_create("rspd-log", MFD_CLOEXEC)};
	struct rsp_client *client = NULL;
	char words[512] = "";
	int fds[2], r, ended;

	if (recorder.log_fd < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return rsp_fail(-errno, "cannot start a recorder: %m");
	r = spawn(fds[1], recorder.log_fd, &recorder.pid);
	close(fds[1]);
	if (r < 0) {
		close(fds[0]);
		close(recorder.log_fd);
		if (r == -ENOENT)
			return rsp_fail(r,
					"cannot start a recorder: there is no rspd beside rspctl "
					"nor in PATH: install it");
		return rsp_fail(r, "cannot start a recorder: %m");
	}
	r = rsp_client_adopt(fds[0], &client);
	if (r == 0)
		r = rsp_client_ping(client, START_TIMEOUT_MS);
	if (r == 0) {
		*ret = recorder;
		*ret_client = client;
		return RSP_EXIT_OK;
	}
	rsp_client_free(client);
	ended = rsp_private_recorder_wait(&recorder, words, sizeof(words));
	return rsp_fail(ended ? ended : r, "cannot start a recorder: %s",
			words[0] ? words : "it does not answer");
}
