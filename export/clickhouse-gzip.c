/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses and decompresses with zlib, in the format of gzip. */
#include "export/clickhouse.h"

#include <errno.h>
#include <zlib.h>

#define GZIP_WINDOW  (15 + 16)
#define STEP	     (64 << 10)
#define UNPACKED_MAX (256 << 20)

int rsp_gzip(const void *bytes, size_t len, struct rsp_buffer *ret)
{
	z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len};
	size_t bound;
	int r;

	/* Level 6 makes these rows a sixth smaller than level 1. */
	if (deflateInit2(&z, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	bound = deflateBound(&z, (uLong)len);
	r = rsp_buffer_reserve(ret, bound);
	if (r == 0) {
		z.next_out = (Bytef *)ret->v + ret->len;
		z.avail_out = (uInt)bound;
		r = deflate(&z, Z_FINISH) == Z_STREAM_END ? 0 : -ENOMEM;
	}
	if (r == 0) {
		ret->len += z.total_out;
		ret->v[ret->len] = '\0';
	}
	deflateEnd(&z);
	return r;
}

int rsp_gunzip(const void *bytes, size_t len, struct rsp_buffer *ret)
{
	z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len};
	int r = 0, state = Z_OK;

	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	while (r == 0 && state == Z_OK) {
		r = z.total_out < UNPACKED_MAX ? rsp_buffer_reserve(ret, STEP) : -EBADMSG;
		if (r < 0)
			break;
		z.next_out = (Bytef *)ret->v + ret->len;
		z.avail_out = STEP;
		state = inflate(&z, Z_NO_FLUSH);
		ret->len += STEP - z.avail_out;
		ret->v[ret->len] = '\0';
	}
	inflateEnd(&z);
	if (r < 0)
		return r;
	return state == Z_STREAM_END ? 0 : -EBADMSG;
}
