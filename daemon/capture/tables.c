/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tables.h. */
#include "daemon/capture/tables.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/base/helper.h"
#include "lib/base/cleanup.h"
#include "rsp/unwind.h"

#define AREA_BYTES ((size_t)RSP_AREA_BLOCKS * RSP_UNWIND_BLOCK_BYTES)
#define FIRST_AREA RSP_TABLE_AREA(RSP_TABLE_FIRST)

struct area {
	size_t bytes; /* 0: the index is free */
	unsigned int table_cnt;
};

/*
 * An area made in advance, to be filled next. The fields of the area belong to the thread until
 * rspd joins the thread.
 */
struct spare {
	pthread_t thread;
	int map_fd;
	__u32 area; /* 0: no spare area */
	void *at;   /* mapped memory; MAP_FAILED: the thread could not create it */
};

struct rsp_tables {
	int map_fd;
	__u8 *used;
	size_t budget_bytes, bytes;
	unsigned int cnt;
	__u32 hand;
	__u32 open; /* index of the area that is being filled; 0: no area */
	char *open_at;
	size_t open_used_bytes;
	struct spare spare;
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

static __u32 free_area(const struct rsp_tables *t)
{
	for (__u32 area = FIRST_AREA; area < RSP_AREA_MAX; area++)
		if (!t->areas[area].bytes)
			return area;
	return 0;
}

/* The update of the kernel's map waits until no BPF program uses the old entry. */
static void *make_area(int map_fd, __u32 area, size_t bytes)
{
	_cleanup_close_ int fd = rsp_helper_make_area((__u32)(bytes / RSP_UNWIND_BLOCK_BYTES));
	void *p;

	if (fd < 0) {
		errno = -fd;
		return MAP_FAILED;
	}
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return p;
	if (bpf_map_update_elem(map_fd, &area, &fd, BPF_ANY) < 0) {
		munmap(p, bytes);
		return MAP_FAILED;
	}
	return p;
}

static void take(struct rsp_tables *t, __u32 area, size_t bytes)
{
	t->areas[area] = (struct area){.bytes = bytes};
	t->bytes += bytes;
}

static void give_back(struct rsp_tables *t, __u32 area)
{
	t->bytes -= t->areas[area].bytes;
	t->cnt -= t->areas[area].table_cnt;
	t->areas[area] = (struct area){0};
}

/* --- the next area ---------------------------------------------------------------------------- */

static void *make_spare(void *userdata)
{
	struct spare *spare = userdata;

	spare->at = make_area(spare->map_fd, spare->area, AREA_BYTES);
	return NULL;
}

/*
 * If all CPUs of a machine are busy, make_area() takes seconds, and without the thread the rings
 * would overflow.
 */
static void begin_spare(struct rsp_tables *t)
{
	__u32 area = free_area(t);

	if (t->spare.area || !area || t->bytes + AREA_BYTES > t->budget_bytes)
		return;
	t->spare = (struct spare){.map_fd = t->map_fd, .area = area};
	if (pthread_create(&t->spare.thread, NULL, make_spare, &t->spare) != 0)
		t->spare.area = 0;
	else
		take(t, area, AREA_BYTES);
}

static void *end_spare(struct rsp_tables *t, __u32 *ret_area)
{
	if (!t->spare.area)
		return MAP_FAILED;
	pthread_join(t->spare.thread, NULL);
	*ret_area = t->spare.area;
	t->spare.area = 0;
	if (t->spare.at == MAP_FAILED)
		give_back(t, *ret_area);
	return t->spare.at;
}

/* --- tables ----------------------------------------------------------------------------------- */

static int new_area(struct rsp_tables *t, size_t bytes, __u32 *ret_area, char **ret_at)
{
	__u32 area = free_area(t);
	void *p;

	if (bytes > t->budget_bytes)
		return -E2BIG;
	if (!area || t->bytes + bytes > t->budget_bytes)
		return -ENOSPC;
	p = make_area(t->map_fd, area, bytes);
	if (p == MAP_FAILED)
		return -errno;
	take(t, area, bytes);
	*ret_area = area;
	*ret_at = p;
	return 0;
}

static int put_alone(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table)
{
	__u32 area = 0;
	char *p = NULL;
	int r = new_area(t, len, &area, &p);

	if (r < 0)
		return r;
	memcpy(p, blocks, len);
	munmap(p, len);
	*ret_table = RSP_TABLE(area, 0);
	return 0;
}

static int open_area(struct rsp_tables *t)
{
	__u32 area = 0;
	char *p = end_spare(t, &area);
	int r = p == MAP_FAILED ? new_area(t, AREA_BYTES, &area, &p) : 0;

	if (r < 0)
		return r;
	close_area(t);
	t->open = area;
	t->open_at = p;
	t->open_used_bytes = 0;
	begin_spare(t);
	return 0;
}

static int put_with_others(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table)
{
	int r = t->open && len <= AREA_BYTES - t->open_used_bytes ? 0 : open_area(t);

	if (r < 0)
		return r;
	memcpy(t->open_at + t->open_used_bytes, blocks, len);
	*ret_table = RSP_TABLE(t->open, (__u32)(t->open_used_bytes / RSP_UNWIND_BLOCK_BYTES));
	t->open_used_bytes += len;
	return 0;
}

int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table)
{
	int r = len > AREA_BYTES ? put_alone(t, blocks, len, ret_table)
				 : put_with_others(t, blocks, len, ret_table);

	if (r < 0)
		return r;
	t->used[RSP_TABLE_AREA(*ret_table)] = 1;
	t->areas[RSP_TABLE_AREA(*ret_table)].table_cnt++;
	t->cnt++;
	return 0;
}

/*
 * The clock algorithm: visits each area up to twice. The first visit clears the mark of an area
 * that was in use.
 */
__u32 rsp_tables_idlest(struct rsp_tables *t)
{
	for (int i = 0; i < 2 * RSP_AREA_MAX; i++) {
		__u32 area = t->hand;

		t->hand = area + 1 < RSP_AREA_MAX ? area + 1 : FIRST_AREA + 1;
		if (!t->areas[area].bytes || area == t->spare.area)
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
	give_back(t, area);
}

struct rsp_tables *rsp_tables_free(struct rsp_tables *t)
{
	__u32 area;
	void *p;

	if (!t)
		return NULL;
	close_area(t);
	p = end_spare(t, &area);
	if (p != MAP_FAILED)
		munmap(p, AREA_BYTES);
	free(t);
	return NULL;
}

size_t rsp_tables_bytes(const struct rsp_tables *t)
{
	return t->bytes;
}

unsigned int rsp_tables_cnt(const struct rsp_tables *t)
{
	return t->cnt;
}
