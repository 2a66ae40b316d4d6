/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See downloader.h. A user's downloads stay in the user's cache of libdebuginfod. Root's downloads
 * go to a directory of user nobody, which is emptied after each download.
 */
#include "cli/downloader.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "lib/base/cleanup.h"
#include "lib/sandbox/sandbox.h"
#include "lib/symbols/debuginfod.h"

#define DIRS_OPEN_MAX 8

struct rsp_downloader {
	int socket;
	pid_t pid;
};

struct request {
	__u32 build_id_len;
	__u8 build_id[RSP_BUILD_ID_MAX];
};

struct answer {
	__s32 error; /* 0: a file descriptor comes with this message; otherwise -errno */
};

/* --- the process that downloads --------------------------------------------------------------- */

static char root_cache[] = "/tmp/rspctl-debuginfod-XXXXXX";

static int use_own_cache(void)
{
	if (!mkdtemp(root_cache) || setenv("DEBUGINFOD_CACHE_PATH", root_cache, true) < 0)
		return -errno;
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	if (at->level > 0)
		remove(path);
	return 0;
}

static void empty_own_cache(void)
{
	nftw(root_cache, remove_entry, DIRS_OPEN_MAX, FTW_DEPTH | FTW_PHYS);
}

static void serve(struct rsp_debuginfod *servers, bool own_cache)
{
	int fds[RSP_MESSAGE_FD_MAX];
	struct request request;

	while (rsp_message_receive(STDIN_FILENO, &request, sizeof(request), fds) == 0) {
		_cleanup_close_ int fd = servers ? rsp_debuginfod_open(servers, request.build_id,
								       request.build_id_len)
						 : -ENOENT;
		const struct answer answer = {.error = fd < 0 ? fd : 0};

		if (own_cache)
			empty_own_cache();
		if (rsp_message_send(STDIN_FILENO, &answer, sizeof(answer), &fd, fd >= 0, 0) < 0)
			return;
	}
}

static _Noreturn void download(int socket)
{
	bool own_cache = geteuid() == 0;
	struct rsp_debuginfod *servers;
	int r = 0;

	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	if (own_cache)
		r = rsp_sandbox_become_nobody();
	if (r == 0 && own_cache)
		r = use_own_cache();
	if (r < 0)
		_exit(EXIT_FAILURE);
	servers = rsp_debuginfod_new();
	serve(servers, own_cache);
	rsp_debuginfod_free(servers);
	if (own_cache)
		rmdir(root_cache);
	_exit(EXIT_SUCCESS);
}

/* --- rspctl, its parent ----------------------------------------------------------------------- */

int rsp_downloader_new(struct rsp_downloader **ret)
{
	_cleanup_free_ struct rsp_downloader *d = calloc(1, sizeof(*d));
	int sockets[2];

	if (!d)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	fflush(NULL);
	d->pid = fork();
	if (d->pid == 0)
		download(sockets[1]);
	close(sockets[1]);
	if (d->pid < 0) {
		close(sockets[0]);
		return -errno;
	}
	d->socket = sockets[0];
	*ret = rsp_take_ptr(d);
	return 0;
}

struct rsp_downloader *rsp_downloader_free(struct rsp_downloader *d)
{
	if (!d)
		return NULL;
	close(d->socket); /* the process that downloads reads end of file, cleans up and ends */
	waitpid(d->pid, NULL, 0);
	free(d);
	return NULL;
}

int rsp_downloader_open(struct rsp_downloader *d, const __u8 *build_id, size_t len)
{
	struct request request = {.build_id_len = (__u32)len};
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct answer answer;

	if (len > sizeof(request.build_id))
		return -EINVAL;
	memcpy(request.build_id, build_id, len);
	r = rsp_message_send(d->socket, &request, sizeof(request), NULL, 0, 0);
	if (r == 0)
		r = rsp_message_receive(d->socket, &answer, sizeof(answer), fds);
	if (r < 0)
		return r;
	if (fds[0] >= 0)
		return fds[0];
	return answer.error < 0 ? answer.error : -ENOENT;
}
