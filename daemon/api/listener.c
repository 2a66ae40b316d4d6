/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See listener.h. */
#include "daemon/api/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

struct rsp_listener {
	struct sockaddr_un address;
	char lock_path[sizeof(((struct sockaddr_un *)NULL)->sun_path) + sizeof(".lock")];
	int lock_fd;
};

/*
 * A listener removes its lock file when it ends, so the file may have lost its name before this
 * process got the lock. Another process could then lock a new file of that name.
 */
static int take_lock(const char *path)
{
	for (;;) {
		_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
					      0600);
		struct stat ours, named;

		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB) < 0)
			return errno == EWOULDBLOCK ? -EADDRINUSE : -errno;
		if (fstat(fd, &ours) < 0)
			return -errno;
		if (stat(path, &named) == 0 && named.st_dev == ours.st_dev &&
		    named.st_ino == ours.st_ino)
			return rsp_take_fd(&fd);
	}
}

static int make_directory(const char *path)
{
	_cleanup_free_ char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	return mkdir(dirname(copy), 0755) < 0 && errno != EEXIST ? -errno : 0;
}

static int bind_and_listen(const struct sockaddr_un *address)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if (unlink(address->sun_path) < 0 && errno != ENOENT)
		return -errno;
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0)
		return -errno;
	/*
	 * Mode 0666 is safe: nobody can connect before listen(), and the server checks each peer.
	 */
	if (chmod(address->sun_path, 0666) < 0 || listen(fd, RSP_LISTENER_BACKLOG) < 0) {
		int r = -errno;

		unlink(address->sun_path);
		return r;
	}
	return rsp_take_fd(&fd);
}

int rsp_listener_new(const char *path, struct rsp_listener **ret, int *ret_fd)
{
	_cleanup_free_ struct rsp_listener *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	if (strlen(path) >= sizeof(l->address.sun_path))
		return -ENAMETOOLONG;
	l->address.sun_family = AF_UNIX;
	strcpy(l->address.sun_path, path);
	snprintf(l->lock_path, sizeof(l->lock_path), "%s.lock", l->address.sun_path);

	r = make_directory(path);
	if (r < 0)
		return r;
	l->lock_fd = take_lock(l->lock_path);
	if (l->lock_fd < 0)
		return l->lock_fd;
	r = bind_and_listen(&l->address);
	if (r < 0) {
		unlink(l->lock_path);
		close(l->lock_fd);
		return r;
	}
	*ret = rsp_take_ptr(l);
	*ret_fd = r;
	return 0;
}

struct rsp_listener *rsp_listener_free(struct rsp_listener *l)
{
	if (!l)
		return NULL;
	unlink(l->address.sun_path);
	unlink(l->lock_path);
	close(l->lock_fd);
	free(l);
	return NULL;
}
