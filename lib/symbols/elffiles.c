/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See elffiles.h. */
#include "elffiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "lib/base/cleanup.h"
#include "elf.h"
#include "procmaps.h"

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

int rsp_elffiles_open_in(const char *root, const char *path)
{
	_cleanup_close_ int path_fd = open_path_in(root, path);

	return path_fd < 0 ? path_fd : reopen_regular(path_fd);
}

int rsp_elffiles_open_path(const char *path)
{
	_cleanup_close_ int path_fd = open_path(path);

	return path_fd < 0 ? path_fd : reopen_regular(path_fd);
}

bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len)
{
	__u8 found[RSP_BUILD_ID_MAX];
	size_t found_len;

	return len > 0 && rsp_elf_read_build_id(fd, found, &found_len) == 0 && found_len == len &&
	       memcmp(found, build_id, len) == 0;
}

static bool same_inode(int fd, const struct rsp_ev_binary *binary)
{
	struct stat st;

	if (!binary->ino || fstat(fd, &st) < 0)
		return false;
	return st.st_ino == binary->ino &&
	       (major(st.st_dev) << 20 | minor(st.st_dev)) == binary->dev;
}

static bool has_build_id(int fd, const struct rsp_ev_binary *binary)
{
	return rsp_elffiles_is(fd, binary->build_id, binary->build_id_len);
}

static int open_proved(const char *root, const struct rsp_ev_binary *binary, bool elsewhere)
{
	_cleanup_close_ int fd = rsp_elffiles_open_in(root, binary->path);
	bool proved;

	if (fd < 0)
		return fd;
	if (binary->build_id_len)
		proved = has_build_id(fd, binary);
	else
		proved = !elsewhere && same_inode(fd, binary);
	return proved ? rsp_take_fd(&fd) : -ESTALE;
}

/* The place in /proc where a mapping of the file is a link to it. */
static bool find_mapping(const struct rsp_ev_binary *binary, char *ret, size_t size)
{
	_cleanup_(rsp_procmaps_done) struct rsp_procmaps maps;
	struct rsp_procmap map;

	rsp_procmaps_open(&maps, binary->tgid);
	while (rsp_procmaps_next(&maps, &map)) {
		if (!map.ino || map.ino != binary->ino || map.dev != binary->dev)
			continue;
		snprintf(ret, size, "/proc/%u/map_files/%llx-%llx", binary->tgid, map.start,
			 map.end);
		return true;
	}
	return false;
}

/* Deleted or replaced as it may be. Takes privileges. */
static int open_mapped(const struct rsp_ev_binary *binary)
{
	_cleanup_close_ int fd = -1;
	char place[96];

	if (!find_mapping(binary, place, sizeof(place)))
		return -ENOENT;
	fd = rsp_elffiles_open_path(place);
	if (fd >= 0 && binary->build_id_len && !has_build_id(fd, binary))
		return -ESTALE;
	return rsp_take_fd(&fd);
}

int rsp_elffiles_open(const struct rsp_ev_binary *binary, bool elsewhere)
{
	char root[64];
	int fd;

	/* What the process sees by that name, if it lives; else what it has mapped. */
	snprintf(root, sizeof(root), "/proc/%u/root", binary->tgid);
	fd = open_proved(root, binary, elsewhere);
	if (fd < 0 && !elsewhere)
		fd = open_mapped(binary);
	return fd >= 0 ? fd : open_proved("/", binary, elsewhere);
}
