/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tables.h. */
#include "tables.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "rsp/unwind.h"

struct rsp_tables {
	int map_fd;
	__u8 *used;
	size_t budget_bytes, bytes;
	unsigned int cnt;
	__u32 hand; /* of the clock that looks for what is not used */
	size_t slot_bytes[RSP_TABLE_MAX];
};

int rsp_tables_new(int map_fd, __u8 *used, size_t budget_bytes, struct rsp_tables **ret)
{
	struct rsp_tables *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->map_fd = map_fd;
	t->used = used;
	t->budget_bytes = budget_bytes;
	t->hand = RSP_TABLE_FIRST;
	*ret = t;
	return 0;
}

struct rsp_tables *rsp_tables_free(struct rsp_tables *t)
{
	free(t);
	return NULL;
}

/* A BPF array with the table in it; its descriptor, or -errno. */
static int make_array(const void *blocks, size_t len)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	_cleanup_close_ int fd = -1;
	void *p;

	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rsp_table", sizeof(__u32), RSP_UNWIND_BLOCK_BYTES,
			    (__u32)(len / RSP_UNWIND_BLOCK_BYTES), &opts);
	if (fd < 0)
		return -errno;
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	memcpy(p, blocks, len);
	munmap(p, len);
	return rsp_take_fd(&fd);
}

static __u32 free_slot(const struct rsp_tables *t)
{
	for (__u32 slot = RSP_TABLE_FIRST; slot < RSP_TABLE_MAX; slot++)
		if (!t->slot_bytes[slot])
			return slot;
	return 0;
}

int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_slot)
{
	_cleanup_close_ int fd = -1;
	__u32 slot = free_slot(t);

	if (len > t->budget_bytes)
		return -E2BIG;
	if (!slot || t->bytes + len > t->budget_bytes)
		return -ENOSPC;
	fd = make_array(blocks, len);
	if (fd < 0)
		return fd;
	if (bpf_map_update_elem(t->map_fd, &slot, &fd, BPF_ANY) < 0)
		return -errno;
	t->slot_bytes[slot] = len;
	t->used[slot] = 1;
	t->bytes += len;
	t->cnt++;
	*ret_slot = slot;
	return 0;
}

/* Twice around: what was in use the first time has been marked as unused since. */
__u32 rsp_tables_idlest(struct rsp_tables *t)
{
	for (int i = 0; i < 2 * RSP_TABLE_MAX; i++) {
		__u32 slot = t->hand;

		t->hand = slot + 1 < RSP_TABLE_MAX ? slot + 1 : RSP_TABLE_FIRST;
		if (!t->slot_bytes[slot])
			continue;
		if (!t->used[slot])
			return slot;
		t->used[slot] = 0;
	}
	return 0;
}

void rsp_tables_remove(struct rsp_tables *t, __u32 slot)
{
	bpf_map_delete_elem(t->map_fd, &slot);
	t->bytes -= t->slot_bytes[slot];
	t->slot_bytes[slot] = 0;
	t->cnt--;
}

size_t rsp_tables_bytes(const struct rsp_tables *t)
{
	return t->bytes;
}

unsigned int rsp_tables_cnt(const struct rsp_tables *t)
{
	return t->cnt;
}
