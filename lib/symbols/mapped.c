/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See mapped.h. One walk through time, by images.h. Each mapping of a file becomes a binary that
 * has a number beyond those of the snapshot.
 */
#include "mapped.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "images.h"

#define FIRST_NUMBER (1U << 22)

struct rsp_mapped {
	const struct rsp_trace *trace;
	struct rsp_images *images;
	size_t next;		      /* event to apply */
	struct rsp_arena records;     /* BINARY records made here */
	struct rsp_idmap by_identity; /* hash of what tells a file and its process -> record */
	struct rsp_idmap by_number;   /* -> record */
	__u32 number_cnt;
};

/* The tgid that has other mappings from ev on, 0: none. */
static __u32 replaced_tgid(const struct rsp_ev_hdr *ev)
{
	const struct rsp_ev_mmap *map = (const void *)ev;
	const struct rsp_ev_task *task = (const void *)ev;

	if (ev->kind == RSP_EV_MMAP)
		return map->len ? 0 : map->tgid;
	if (ev->kind != RSP_EV_TASK || task->tid != task->tgid)
		return 0;
	return ev->flags & (RSP_TASK_FORK | RSP_TASK_EXEC) ? task->tgid : 0;
}

/*
 * The recorder lists the mappings of living processes just after it began to record, and the window
 * may have lost the time when they were made: until a process's first fork or exec, what is told of
 * it later was there before. Backwards, so that the earlier of two at one place prevails.
 */
static int apply_unborn(struct rsp_mapped *m)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap born = {0};
	const struct rsp_trace *t = m->trace;
	int r = 0;

	for (size_t i = 0; i < t->event_cnt && r == 0; i++) {
		__u32 tgid = replaced_tgid(t->events[i]);

		if (tgid && !rsp_idmap_get(&born, tgid, &(uint64_t){0}))
			r = rsp_idmap_put(&born, tgid, i);
	}
	for (size_t i = t->event_cnt; i-- > 0 && r == 0;) {
		const struct rsp_ev_mmap *map = (const void *)t->events[i];
		uint64_t at = SIZE_MAX;

		if (map->hdr.kind != RSP_EV_MMAP || !map->len)
			continue;
		rsp_idmap_get(&born, map->tgid, &at);
		if (i < at)
			r = rsp_images_apply(m->images, &map->hdr);
	}
	return r;
}

int rsp_mapped_new(const struct rsp_trace *trace, struct rsp_mapped **ret)
{
	struct rsp_mapped *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return -ENOMEM;
	m->trace = trace;
	r = rsp_images_new(&m->images);
	if (r == 0)
		r = apply_unborn(m);
	if (r < 0) {
		rsp_mapped_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

struct rsp_mapped *rsp_mapped_free(struct rsp_mapped *m)
{
	if (!m)
		return NULL;
	rsp_images_free(m->images);
	rsp_arena_done(&m->records);
	rsp_idmap_done(&m->by_identity);
	rsp_idmap_done(&m->by_number);
	free(m);
	return NULL;
}

/* --- binaries -------------------------------------------------------------------------------- */

static __u64 hash_bytes(__u64 h, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ULL; /* FNV-1a */
	return h;
}

static __u64 identity(const struct rsp_ev_mmap *map)
{
	__u64 h = hash_bytes(map->ino ^ (__u64)map->dev << 32, map->path, strlen(map->path));

	h = hash_bytes(h, map->build_id, map->build_id_len);
	return hash_bytes(h, &map->tgid, sizeof(map->tgid));
}

/* Without a file; perf calls it "//anon". "[vdso]" keeps its name. */
static bool is_anonymous(const struct rsp_ev_mmap *map)
{
	return map->path[0] != '[' && (map->path[0] != '/' || map->path[1] == '/');
}

static int make_binary(struct rsp_mapped *m, const struct rsp_ev_mmap *map,
		       const struct rsp_ev_binary **ret)
{
	struct rsp_ev_binary *binary = rsp_arena_alloc(&m->records,
						       sizeof(*binary) + strlen(map->path) + 1);

	if (!binary)
		return -ENOMEM;
	binary->number = FIRST_NUMBER + m->number_cnt;
	binary->tgid = map->tgid;
	binary->ino = map->ino;
	binary->dev = map->dev;
	binary->build_id_len = map->build_id_len;
	memcpy(binary->build_id, map->build_id, sizeof(binary->build_id));
	strcpy(binary->path, map->path);
	*ret = binary;
	return 0;
}

static int find_binary(struct rsp_mapped *m, const struct rsp_ev_mmap *map,
		       const struct rsp_ev_binary **ret)
{
	uint64_t known;
	int r;

	if (rsp_idmap_get(&m->by_identity, identity(map), &known)) {
		*ret = (const void *)(uintptr_t)known;
		return 0;
	}
	r = make_binary(m, map, ret);
	if (r < 0)
		return r;
	m->number_cnt++;
	r = rsp_idmap_put(&m->by_number, (*ret)->number, (uintptr_t)*ret);
	return r < 0 ? r : rsp_idmap_put(&m->by_identity, identity(map), (uintptr_t)*ret);
}

const struct rsp_ev_binary *rsp_mapped_binary(const struct rsp_mapped *m, __u32 number)
{
	uint64_t record;

	if (rsp_idmap_get(&m->by_number, number, &record))
		return (const void *)(uintptr_t)record;
	return rsp_trace_binary(m->trace, number);
}

/* --- frames ---------------------------------------------------------------------------------- */

int rsp_mapped_frames(struct rsp_mapped *m, const struct rsp_ev_stack *stack,
		      __u64 ret[static RSP_STACK_FRAMES_MAX])
{
	const struct rsp_trace *t = m->trace;
	bool mapped = false;
	int r = 0;

	while (r == 0 && m->next < t->event_cnt && t->events[m->next]->ts_ns <= stack->hdr.ts_ns)
		r = rsp_images_apply(m->images, t->events[m->next++]);
	if (r < 0)
		return r;
	for (__u32 i = 0; i < stack->frame_cnt; i++) {
		__u64 addr = stack->frames[i];
		const struct rsp_ev_mmap *map;
		const struct rsp_ev_binary *binary;

		ret[i] = addr;
		if (addr & RSP_FRAME_IN_BINARY)
			continue;
		/* A return address may be one beyond the mapping. */
		map = rsp_images_find(m->images, stack->tgid, addr - (i > 0));
		if (i == 0)
			mapped = map;
		if (mapped && !map)
			return (int)i;
		if (!map || is_anonymous(map))
			continue;
		r = find_binary(m, map, &binary);
		if (r < 0)
			return r;
		ret[i] = RSP_FRAME_IN_BINARY | (__u64)binary->number << RSP_FRAME_OFFSET_BITS |
			 ((map->pgoff_bytes + (addr - map->start)) & RSP_FRAME_OFFSET(UINT64_MAX));
	}
	return (int)stack->frame_cnt;
}
