/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See worker-spawn.h. */
#include "daemon/worker/worker-spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/worker/worker-protocol.h"
#include "lib/base/cleanup.h"

#define WORKER "rsp-worker"

static int find_worker(char *ret, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", ret, size);
	char *slash;

	if (len < 0)
		return -errno;
	if ((size_t)len == size)
		return -ENAMETOOLONG;
	ret[len] = '\0';
	slash = strrchr(ret, '/');
	if (!slash || slash + 1 + sizeof(WORKER) > ret + size)
		return -ENAMETOOLONG;
	strcpy(slash + 1, WORKER);
	return 0;
}

static int prepare(posix_spawn_file_actions_t *files, posix_spawnattr_t *attr, int socket,
		   int inlet)
{
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (r == 0)
		r = posix_spawnattr_setsigmask(attr, &none);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(attr, &all);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, socket, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY,
						     0);
#ifndef __SANITIZE_ADDRESS__ /* ASan reports to stderr */
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO);
#endif
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, inlet, RSP_WORKER_INLET);
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(files, RSP_WORKER_INLET + 1);
	return r;
}

static int spawn(int socket, int inlet, const struct rsp_worker_limits *limits, pid_t *ret_pid)
{
	char path[PATH_MAX], name[] = WORKER, memory[24], file[24];
	char *argv[] = {name, memory, file, NULL}, *envp[] = {NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int r = find_worker(path, sizeof(path));

	if (r < 0)
		return r;
	snprintf(memory, sizeof(memory), "%zu", limits->memory_bytes);
	snprintf(file, sizeof(file), "%zu", limits->file_bytes);
	r = posix_spawn_file_actions_init(&files);
	if (r)
		return -r;
	r = posix_spawnattr_init(&attr);
	if (r == 0) {
		r = prepare(&files, &attr, socket, inlet);
		if (r == 0)
			r = posix_spawn(ret_pid, path, &files, &attr, argv, envp);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return -r;
}

/* ret[1] is for the worker. */
static int make_pair(int ret[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret) < 0 ? -errno : 0;
}

static void close_pair(int pair[2])
{
	rsp_cleanup_close(&pair[0]);
	rsp_cleanup_close(&pair[1]);
}

int rsp_worker_spawn(const struct rsp_worker_limits *limits, struct rsp_worker_process *ret)
{
	int socket[2] = {-1, -1}, inlet[2] = {-1, -1}, r;

	r = make_pair(socket);
	if (r == 0)
		r = make_pair(inlet);
	/*
	 * rspd sends a message about a file only after the file was sent to the inlet. So the
	 * worker never has to wait for a file, and must not.
	 */
	if (r == 0 && fcntl(inlet[1], F_SETFL, O_NONBLOCK) < 0)
		r = -errno;
	if (r == 0)
		r = spawn(socket[1], inlet[1], limits, &ret->pid);
	if (r == 0) {
		ret->socket = rsp_take_fd(&socket[0]);
		ret->inlet = rsp_take_fd(&inlet[0]);
	}
	close_pair(socket);
	close_pair(inlet);
	return r;
}
