/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See elffiles.h. */
#include "elffiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "lib/base/cleanup.h"
#include "elfsyms.h"

static int open_path(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Absolute links inside a container mean files of the container: plain open() would follow them to
 * ours.
 */
static int open_path_in(const char *root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	_cleanup_close_ int root_fd = open_path(root);
	int fd;

	if (root_fd < 0)
		return root_fd;
	fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

/* To open a device or a pipe is to act on it: only what O_PATH has shown to be a file is opened. */
static int reopen_regular(int path_fd)
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

static bool same_inode(int fd, const struct rsp_ev_binary *binary)
{
	struct stat st;

	if (!binary->ino || fstat(fd, &st) < 0)
		return false;
	return st.st_ino == binary->ino &&
	       (major(st.st_dev) << 20 | minor(st.st_dev)) == binary->dev;
}

static bool same_file(int fd, const struct rsp_ev_binary *binary)
{
	__u8 id[RSP_BUILD_ID_MAX];
	size_t len;

	if (!binary->build_id_len)
		return same_inode(fd, binary);
	return rsp_elfsyms_build_id(fd, id, &len) == 0 && len == binary->build_id_len &&
	       memcmp(id, binary->build_id, len) == 0;
}

/* Takes path_fd, or the error in its place. */
static int check(int path_fd, const struct rsp_ev_binary *binary)
{
	_cleanup_close_ int from_fd = path_fd;
	_cleanup_close_ int fd = -1;

	if (path_fd < 0)
		return path_fd;
	fd = reopen_regular(path_fd);
	if (fd < 0)
		return fd;
	return same_file(fd, binary) ? rsp_take_fd(&fd) : -ESTALE;
}

int rsp_elffiles_open(const struct rsp_ev_binary *binary)
{
	char place[64];
	int fd;

	/* What the process sees by that name, if it lives. */
	snprintf(place, sizeof(place), "/proc/%u/root", binary->tgid);
	fd = check(open_path_in(place, binary->path), binary);
	if (fd >= 0)
		return fd;
	return check(open_path_in("/", binary->path), binary);
}
