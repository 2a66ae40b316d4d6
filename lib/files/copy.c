/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See copy.h. */
#include "lib/files/copy.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "lib/base/cleanup.h"
#include "lib/files/local.h"

/* Memory is limited, and programs on file systems that may block are small. */
#define DETACHED_BYTES_MAX (64L << 20)

int rsp_file_copy(int fd, off_t max)
{
	_cleanup_close_ int copy = memfd_create("rsp-copy", MFD_CLOEXEC);
	struct stat st;
	off_t off = 0;

	if (copy < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > max)
		return -EFBIG;
	while (off < st.st_size) {
		ssize_t n = sendfile(copy, fd, &off, (size_t)(st.st_size - off));

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
	}
	return rsp_take_fd(&copy);
}

int rsp_file_detach(int *fd)
{
	struct statfs fs;
	int copy;

	if (fstatfs(*fd, &fs) < 0)
		return -errno;
	if (rsp_file_system_is_local((__u64)fs.f_type))
		return 0;
	copy = rsp_file_copy(*fd, DETACHED_BYTES_MAX);
	if (copy < 0)
		return copy;
	close(*fd);
	*fd = copy;
	return 0;
}
