/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See memory.h. A memfd begins with the length of its data. The length is written last, so a memfd
 * without a length counts as empty.
 */
#include "daemon/snapshots/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

int rsp_memory_load(int fd, void **ret, size_t *ret_len)
{
	_cleanup_free_ void *bytes = NULL;
	uint64_t len = 0;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (pread(fd, &len, sizeof(len), 0) != sizeof(len) || !len ||
	    (uint64_t)st.st_size != len + sizeof(len))
		return -ENODATA;
	bytes = malloc(len);
	if (!bytes)
		return -ENOMEM;
	if (pread(fd, bytes, len, sizeof(len)) != (ssize_t)len)
		return -EIO;
	*ret = rsp_take_ptr(bytes);
	*ret_len = len;
	return 0;
}

int rsp_memory_store(int fd, const void *bytes, size_t len)
{
	uint64_t head = len;

	if (ftruncate(fd, 0) < 0)
		return -errno;
	if (!len)
		return 0;
	if (pwrite(fd, bytes, len, sizeof(head)) == (ssize_t)len &&
	    pwrite(fd, &head, sizeof(head), 0) == sizeof(head))
		return 0;
	(void)!ftruncate(fd, 0);
	return -EIO;
}
