/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See save.h. */
#include "cli/save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/forwarded.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot.h"

int rsp_save_check(const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *dir = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");

	if (rsp_forwarded_takes(path) || access(path, W_OK) == 0)
		return 0;
	if (!dir)
		return -ENOMEM;
	return access(dir, W_OK | X_OK) < 0 ? -errno : 0;
}

int rsp_save(int fd, const char *path)
{
	struct stat st;
	void *bytes;
	int r;

	if (rsp_forwarded_takes(path))
		return rsp_forwarded_save(fd, path);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size == 0) /* mmap() fails for an empty file */
		return rsp_snapshot_save(path, "", 0);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	r = rsp_snapshot_save(path, bytes, (size_t)st.st_size);
	munmap(bytes, (size_t)st.st_size);
	return r;
}
