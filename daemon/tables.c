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

#define AREA_BYTES ((size_t)RSP_AREA_BLOCKS * RSP_UNWIND_BLOCK_BYTES)
#define FIRST_AREA RSP_TABLE_AREA(RSP_TABLE_FIRST)

struct area {
	size_t bytes; /* 0: there is none of this number */
	unsigned int table_cnt;
};

struct rsp_tables {
	int map_fd;
	__u8 *used;
	size_t budget_bytes, bytes;
	unsigned int cnt;
	__u32 hand; /* of the clock that looks for what is not used */
	__u32 open; /* the area that is being filled, 0: none */
	char *open_at;
	size_t open_used_bytes;
	struct area areas[RSP_AREA_MAX];
};

int rsp_tables_new(int map_fd, __u8 *used, size_t budget_bytes, struct rsp_tables **ret)
{
	struct rsp_tables *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->map_fd = map_fd;
	t->used = used;
	t->budget_bytes = budget_bytes;
	t->hand = FIRST_AREA + 1;
	*ret = t;
	return 0;
}

static void close_area(struct rsp_tables *t)
{
	if (t->open)
		munmap(t->open_at, AREA_BYTES);
	t->open = 0;
}

struct rsp_tables *rsp_tables_free(struct rsp_tables *t)
{
	if (t)
		close_area(t);
	free(t);
	return NULL;
}

static __u32 free_area(const struct rsp_tables *t)
{
	for (__u32 area = FIRST_AREA; area < RSP_AREA_MAX; area++)
		if (!t->areas[area].bytes)
			return area;
	return 0;
}

/* Where its memory is mapped; MAP_FAILED and errno. */
static void *make_area(struct rsp_tables *t, __u32 area, size_t bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	_cleanup_close_ int fd = -1;
	void *p;

	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rsp_area", sizeof(__u32), RSP_UNWIND_BLOCK_BYTES,
			    (__u32)(bytes / RSP_UNWIND_BLOCK_BYTES), &opts);
	if (fd < 0)
		return MAP_FAILED;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return p;
	if (bpf_map_update_elem(t->map_fd, &area, &fd, BPF_ANY) < 0) {
		munmap(p, bytes);
		return MAP_FAILED;
	}
	t->areas[area] = (struct area){.bytes = bytes};
	t->bytes += bytes;
	return p;
}

/* A table larger than an area stays alone; with others one begins the area that is filled next. */
static int put_in_new_area(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table)
{
	size_t bytes = len > AREA_BYTES ? len : AREA_BYTES;
	__u32 area = free_area(t);
	char *p;

	if (bytes > t->budget_bytes)
		return -E2BIG;
	if (!area || t->bytes + bytes > t->budget_bytes)
		return -ENOSPC;
	p = make_area(t, area, bytes);
	if (p == MAP_FAILED)
		return -errno;
	memcpy(p, blocks, len);
	if (len > AREA_BYTES) {
		munmap(p, bytes);
	} else {
		close_area(t);
		t->open = area;
		t->open_at = p;
		t->open_used_bytes = len;
	}
	*ret_table = RSP_TABLE(area, 0);
	return 0;
}

int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table)
{
	size_t at = t->open_used_bytes;
	int r;

	if (t->open && len <= AREA_BYTES - at) {
		memcpy(t->open_at + at, blocks, len);
		t->open_used_bytes += len;
		*ret_table = RSP_TABLE(t->open, (__u32)(at / RSP_UNWIND_BLOCK_BYTES));
	} else {
		r = put_in_new_area(t, blocks, len, ret_table);
		if (r < 0)
			return r;
	}
	t->used[RSP_TABLE_AREA(*ret_table)] = 1;
	t->areas[RSP_TABLE_AREA(*ret_table)].table_cnt++;
	t->cnt++;
	return 0;
}

/* Twice around: what was in use the first time has been marked as unused since. */
__u32 rsp_tables_idlest(struct rsp_tables *t)
{
	for (int i = 0; i < 2 * RSP_AREA_MAX; i++) {
		__u32 area = t->hand;

		t->hand = area + 1 < RSP_AREA_MAX ? area + 1 : FIRST_AREA + 1;
		if (!t->areas[area].bytes)
			continue;
		if (!t->used[area])
			return area;
		t->used[area] = 0;
	}
	return 0;
}

void rsp_tables_remove(struct rsp_tables *t, __u32 area)
{
	if (area == t->open)
		close_area(t);
	bpf_map_delete_elem(t->map_fd, &area);
	t->bytes -= t->areas[area].bytes;
	t->cnt -= t->areas[area].table_cnt;
	t->areas[area] = (struct area){0};
}

size_t rsp_tables_bytes(const struct rsp_tables *t)
{
	return t->bytes;
}

unsigned int rsp_tables_cnt(const struct rsp_tables *t)
{
	return t->cnt;
}
