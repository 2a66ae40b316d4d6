/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sha256.h. */
#include "lib/http/sha256.h"

#include <errno.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <unistd.h>

static void finish(struct sha256_ctx *ctx, char *ret)
{
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(digest), digest);
	base16_encode_update(ret, sizeof(digest), digest);
	ret[RSP_SHA256_HEX_BYTES - 1] = '\0';
}

void rsp_sha256_hex(const void *bytes, size_t len, char ret[static RSP_SHA256_HEX_BYTES])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, len, bytes);
	finish(&ctx, ret);
}

int rsp_sha256_file(int fd, char ret[static RSP_SHA256_HEX_BYTES], uint64_t *ret_size)
{
	struct sha256_ctx ctx;
	uint8_t buf[16384];
	uint64_t size = 0;

	sha256_init(&ctx);
	for (;;) {
		ssize_t n = pread(fd, buf, sizeof(buf), (off_t)size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		sha256_update(&ctx, (size_t)n, buf);
		size += (uint64_t)n;
	}
	finish(&ctx, ret);
	*ret_size = size;
	return 0;
}
