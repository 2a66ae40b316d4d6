/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer of bytes that grows. A NUL, which len does not count, always follows the bytes. A zeroed
 * buffer is empty.
 */
#ifndef RSP_LIB_BUFFER_H
#define RSP_LIB_BUFFER_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

struct rsp_buffer {
	char *v; /* NULL: empty */
	size_t len, cap;
};

#define _cleanup_buffer_ _cleanup_(rsp_buffer_done)

static inline void rsp_buffer_done(struct rsp_buffer *b)
{
	free(b->v);
	*b = (struct rsp_buffer){0};
}

/* Makes room for len more bytes and a NUL. Returns 0 or -ENOMEM. */
static inline int rsp_buffer_reserve(struct rsp_buffer *b, size_t len)
{
	size_t want = b->cap ? b->cap : 256;
	char *p;

	if (len >= SIZE_MAX / 2 - b->len)
		return -ENOMEM;
	if (b->len + len < b->cap)
		return 0;
	while (want <= b->len + len)
		want *= 2;
	p = realloc(b->v, want);
	if (!p)
		return -ENOMEM;
	b->v = p;
	b->cap = want;
	return 0;
}

/* Returns 0, or -ENOMEM; in that case the buffer is unchanged. */
static inline int rsp_buffer_put(struct rsp_buffer *b, const void *bytes, size_t len)
{
	int r = rsp_buffer_reserve(b, len);

	if (r < 0)
		return r;
	if (len)
		memcpy(b->v + b->len, bytes, len);
	b->len += len;
	b->v[b->len] = '\0';
	return 0;
}

static inline int rsp_buffer_put_text(struct rsp_buffer *b, const char *s)
{
	return rsp_buffer_put(b, s, strlen(s));
}

#endif
