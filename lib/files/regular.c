/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See regular.h. */
#include "lib/files/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "lib/base/cleanup.h"

static int open_path(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Absolute links inside a container refer to files of the container; a plain open() would follow
 * them to files in the root of this process.
 */
static int open_path_in(const char *root, const char *path, unsigned int flags)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	_cleanup_close_ int root_fd = open_path(root);
	int fd;

	if (root_fd < 0)
		return root_fd;
	fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

/*
 * Opening a device or a pipe for reading has side effects, so the O_PATH descriptor is checked
 * first.
 */
int rsp_regular_reopen(int path_fd)
{
	char link[64];
	struct stat st;
	int fd;

	if (fstat(path_fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ESTALE;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

int rsp_regular_open_in(const char *root, const char *path)
{
	_cleanup_close_ int path_fd = open_path_in(root, path, 0);

	return path_fd < 0 ? path_fd : rsp_regular_reopen(path_fd);
}

int rsp_regular_open_no_link_in(const char *root, const char *path)
{
	_cleanup_close_ int path_fd = open_path_in(root, path, O_NOFOLLOW);

	return path_fd < 0 ? path_fd : rsp_regular_reopen(path_fd);
}

int rsp_regular_open(const char *path)
{
	_cleanup_close_ int path_fd = open_path(path);

	return path_fd < 0 ? path_fd : rsp_regular_reopen(path_fd);
}
