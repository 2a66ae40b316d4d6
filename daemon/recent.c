/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recent.h. */
#include "daemon/recent.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"

static int put(int fd, const void *bytes, size_t len, uint64_t *size)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
		*size += (size_t)n;
	}
	return 0;
}

static int put_binary(int fd, const struct rsp_binaries *binaries, __u32 number,
		      struct rsp_idmap *seen, uint64_t *size)
{
	const struct rsp_ev_binary *record;
	int r;

	if (rsp_idmap_get(seen, number, &(uint64_t){0}))
		return 0;
	r = rsp_idmap_put(seen, number, 0);
	record = r < 0 ? NULL : rsp_binaries_find(binaries, number);
	return record ? put(fd, record, record->hdr.size, size) : r;
}

static int put_binaries(int fd, const struct rsp_binaries *binaries, const void *records,
			size_t len, struct rsp_idmap *seen, uint64_t *size)
{
	const struct rsp_ev_hdr *rec;
	size_t off = 0;
	int r = 0;

	while (r == 0 && len && rsp_record_next(records, len, &off, &rec) > 0) {
		const struct rsp_ev_stack *stack = (const void *)rec;

		if (rec->kind != RSP_EV_STACK)
			continue;
		for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
			if (stack->frames[i] & RSP_FRAME_IN_BINARY)
				r = put_binary(fd, binaries, RSP_FRAME_BINARY(stack->frames[i]),
					       seen, size);
	}
	return r;
}

int rsp_recent_make(struct rsp_tap *tap, const struct rsp_binaries *binaries, uint64_t position,
		    uint64_t now_ns, struct rsp_recent *ret)
{
	_cleanup_close_ int fd = memfd_create("rsp-recent", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	struct rsp_tap_part part;
	uint64_t size = 0;
	int r = fd < 0 ? -errno : 0;

	rsp_tap_read(tap, position, now_ns, &part);
	for (size_t i = 0; i < 2 && r == 0; i++)
		r = put(fd, part.v[i], part.len[i], &size);
	for (size_t i = 0; i < 2 && r == 0; i++)
		r = put_binaries(fd, binaries, part.v[i], part.len[i], &seen, &size);
	if (r < 0)
		return r;
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0)
		return -errno;
	*ret = (struct rsp_recent){.fd = rsp_take_fd(&fd),
				   .size = size,
				   .position = part.position,
				   .now_ns = now_ns,
				   .missed = part.missed};
	return 0;
}
