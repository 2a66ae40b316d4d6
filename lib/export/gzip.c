/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gzip.h. */
#include "lib/export/gzip.h"

#include <errno.h>
#include <limits.h>

#define GZIP_WINDOW_BITS (15 + 16) /* 15: the largest window; 16: write a gzip header */

int rsp_gzip_begin(struct rsp_gzip *gz, FILE *out)
{
	*gz = (struct rsp_gzip){.out = out};
	if (deflateInit2(&gz->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	return 0;
}

static int pump(struct rsp_gzip *gz, int flush)
{
	unsigned char buf[16384];
	int status;

	do {
		gz->stream.next_out = buf;
		gz->stream.avail_out = sizeof(buf);
		status = deflate(&gz->stream, flush);
		if (status == Z_STREAM_ERROR)
			return -EINVAL;
		fwrite(buf, 1, sizeof(buf) - gz->stream.avail_out, gz->out);
	} while (gz->stream.avail_out == 0);
	return ferror(gz->out) ? -EIO : 0;
}

int rsp_gzip_put(struct rsp_gzip *gz, const void *data, size_t len)
{
	if (len > UINT_MAX)
		return -E2BIG;
	gz->stream.next_in = (unsigned char *)data;
	gz->stream.avail_in = (unsigned int)len;
	return pump(gz, Z_NO_FLUSH);
}

int rsp_gzip_finish(struct rsp_gzip *gz)
{
	return pump(gz, Z_FINISH);
}

void rsp_gzip_done(struct rsp_gzip *gz)
{
	deflateEnd(&gz->stream);
}
