/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symcopy-read.h. */
#include "lib/symbols/symcopy-read.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/perfmap.h"

static int read_file(int fd, void **ret, size_t *ret_len)
{
	_cleanup_free_ void *bytes = NULL;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size <= 0 || st.st_size > (off_t)RSP_SYMCOPY_BYTES_MAX)
		return st.st_size > 0 ? -EFBIG : -EBADMSG;
	bytes = malloc((size_t)st.st_size);
	if (!bytes)
		return -ENOMEM;
	n = pread(fd, bytes, (size_t)st.st_size, 0);
	if (n != (ssize_t)st.st_size)
		return n < 0 ? -errno : -EBADMSG;
	*ret = rsp_take_ptr(bytes);
	*ret_len = (size_t)n;
	return 0;
}

int rsp_symcopy_read(int fd, struct rsp_perfmap **ret)
{
	_cleanup_free_ void *bytes = NULL;
	_cleanup_free_ char *text = NULL;
	unsigned long long text_len;
	size_t len = 0, n;
	int r = read_file(fd, &bytes, &len);

	if (r < 0)
		return r;
	text_len = ZSTD_getFrameContentSize(bytes, len);
	if (text_len == ZSTD_CONTENTSIZE_UNKNOWN || text_len == ZSTD_CONTENTSIZE_ERROR)
		return -EBADMSG;
	if (text_len > RSP_SYMCOPY_MAP_BYTES_MAX)
		return -EFBIG;
	text = malloc(text_len + 1);
	if (!text)
		return -ENOMEM;
	n = ZSTD_decompress(text, text_len, bytes, len);
	if (ZSTD_isError(n))
		return -EBADMSG;
	return rsp_perfmap_parse(text, n, ret);
}
