/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves bytes from memory to a file on disk. After a crash at any time, the file has either its old
 * or its new content.
 */
#include "lib/snapshot/snapshot-format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "lib/base/cleanup.h"

int rsp_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/*
 * The name is short, because the final name may already be as long as the file system allows. The
 * process that writes a temporary file holds a lock on it, so a temporary file without a lock is
 * left over from a crash.
 */
static int open_temporary(int dir, char *name, size_t size)
{
	for (int tries = 0; tries < 100; tries++) {
		uint64_t random;
		int fd;

		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return -errno;
		snprintf(name, size, RSP_TEMPORARY_PREFIX "%016" PRIx64, random);
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			flock(fd, LOCK_EX | LOCK_NB);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
	}
	return -EEXIST;
}

static int fill_and_rename(int dir, int fd, const char *tmp, const char *name, const void *bytes,
			   size_t len, gid_t group)
{
	int r = rsp_write_all(fd, bytes, len);

	if (r < 0)
		return r;
	/* fchmod() ignores the umask, which must not decide who may read a snapshot. */
	if ((group != (gid_t)-1 && fchown(fd, (uid_t)-1, group) < 0) || fchmod(fd, 0640) < 0 ||
	    fsync(fd) < 0 || renameat(dir, tmp, dir, name) < 0)
		return -errno;
	return 0;
}

int rsp_snapshot_save_at(int dir, const char *name, const void *bytes, size_t len, gid_t group)
{
	_cleanup_close_ int fd = -1;
	char tmp[64];
	int r;

	fd = open_temporary(dir, tmp, sizeof(tmp));
	if (fd < 0)
		return fd;
	r = fill_and_rename(dir, fd, tmp, name, bytes, len, group);
	if (r < 0) {
		unlinkat(dir, tmp, 0);
		return r;
	}
	/* a rename is on disk only after the directory is synced */
	return fsync(dir) < 0 ? -errno : 0;
}

static int replace_file(const char *path, const void *bytes, size_t len)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *dir = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	_cleanup_close_ int fd = -1;

	if (!dir)
		return -ENOMEM;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return rsp_snapshot_save_at(fd, slash ? slash + 1 : path, bytes, len, (gid_t)-1);
}

static int write_special(const char *path, const void *bytes, size_t len)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : rsp_write_all(fd, bytes, len);
}

int rsp_snapshot_save(const char *path, const void *bytes, size_t len)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return write_special(path, bytes, len);
	return replace_file(path, bytes, len);
}
