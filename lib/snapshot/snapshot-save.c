/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes in memory -> a file on disk that survives a crash at any moment, or was never there. */
#include "snapshot-format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

/* A rename is on disk only when its directory is. */
static int sync_dir(const char *dir)
{
	_cleanup_close_ int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int fill_and_rename(int fd, const char *tmp, const char *path, const void *bytes, size_t len)
{
	int r = rsp_write_all(fd, bytes, len);

	if (r < 0)
		return r;
	/* mkostemp made it 0600; the umask has no say in who may read a snapshot. */
	if (fchmod(fd, 0640) < 0 || fsync(fd) < 0 || rename(tmp, path) < 0)
		return -errno;
	return 0;
}

static int replace_file(const char *path, const void *bytes, size_t len)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *dir = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	_cleanup_free_ char *tmp = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	/* A short name of its own: path's may already be as long as the file system allows. */
	if (!dir || asprintf(&tmp, "%s/.rsp-XXXXXX", dir) < 0) {
		tmp = NULL; /* undefined after a failure */
		return -ENOMEM;
	}
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = fill_and_rename(fd, tmp, path, bytes, len);
	if (r < 0) {
		unlink(tmp);
		return r;
	}
	return sync_dir(dir);
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
