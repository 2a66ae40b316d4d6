/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See carry-mmaps.h. A fork shares the mapping records, so that a thousand workers cost little. */
#include "carry-mmaps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

struct mapping {
	unsigned int ref_cnt;
	__u64 order; /* of arrival: inherited ones may be handed to us with equal times */
	struct rsp_ev_mmap rec; /* its path follows: allocated by rec.hdr.size */
};

struct rsp_process {
	TAILQ_ENTRY(rsp_process) link;
	bool listed; /* has mappings */
	__u32 tgid;
	unsigned int thread_cnt;
	__u64 forked_ns; /* what is older was inherited and is its own since then */
	__u64 exec_ns;	 /* 0: none since it was forked, as far as known */
	struct {
		struct mapping **v; /* by start */
		size_t cnt, cap;
	} maps;
};

static size_t mapping_bytes(const struct mapping *map)
{
	return offsetof(struct mapping, rec) + map->rec.hdr.size;
}

static void mapping_put(struct rsp_mmaps *m, struct mapping *map)
{
	if (--map->ref_cnt > 0)
		return;
	m->bytes -= mapping_bytes(map);
	free(map);
}

/* After each change of p's mappings: it is the newest then, if it has any. */
static void relist(struct rsp_mmaps *m, struct rsp_process *p)
{
	if (p->listed)
		TAILQ_REMOVE(&m->list, p, link);
	p->listed = p->maps.cnt > 0;
	if (p->listed)
		TAILQ_INSERT_TAIL(&m->list, p, link);
}

static void drop_all(struct rsp_mmaps *m, struct rsp_process *p)
{
	for (size_t i = 0; i < p->maps.cnt; i++)
		mapping_put(m, p->maps.v[i]);
	m->bytes -= p->maps.cap * sizeof(*p->maps.v);
	free(p->maps.v);
	memset(&p->maps, 0, sizeof(p->maps));
	relist(m, p);
}

static int reserve(struct rsp_mmaps *m, struct rsp_process *p)
{
	size_t cap = p->maps.cap;
	void *v = p->maps.v;

	if (rsp_array_reserve(&v, p->maps.cnt, &p->maps.cap, sizeof(*p->maps.v)) < 0)
		return -ENOMEM;
	p->maps.v = v;
	m->bytes += (p->maps.cap - cap) * sizeof(*p->maps.v);
	return 0;
}

/* --- processes ------------------------------------------------------------------------------ */

static struct rsp_process *find(const struct rsp_mmaps *m, __u32 tgid)
{
	uint64_t value;

	return rsp_idmap_get(&m->by_tgid, tgid, &value) ? (struct rsp_process *)value : NULL;
}

static struct rsp_process *find_or_add(struct rsp_mmaps *m, __u32 tgid)
{
	struct rsp_process *p = find(m, tgid);

	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p || rsp_idmap_put(&m->by_tgid, tgid, (uintptr_t)p) < 0) {
		free(p);
		return NULL;
	}
	p->tgid = tgid;
	m->bytes += sizeof(*p);
	return p;
}

static void forget(struct rsp_mmaps *m, struct rsp_process *p)
{
	drop_all(m, p);
	rsp_idmap_remove(&m->by_tgid, p->tgid);
	m->bytes -= sizeof(*p);
	free(p);
}

void rsp_mmaps_init(struct rsp_mmaps *m)
{
	*m = (struct rsp_mmaps){0};
	TAILQ_INIT(&m->list);
}

void rsp_mmaps_done(struct rsp_mmaps *m)
{
	uint64_t tgid, value;
	size_t pos = 0;

	while (rsp_idmap_next(&m->by_tgid, &pos, &tgid, &value)) {
		drop_all(m, (struct rsp_process *)value);
		free((struct rsp_process *)value);
	}
	rsp_idmap_done(&m->by_tgid);
}

int rsp_mmaps_join(struct rsp_mmaps *m, __u32 tgid)
{
	struct rsp_process *p = find_or_add(m, tgid);

	if (!p)
		return -ENOMEM;
	p->thread_cnt++;
	return 0;
}

void rsp_mmaps_leave(struct rsp_mmaps *m, __u32 tgid)
{
	struct rsp_process *p = find(m, tgid);

	if (p && --p->thread_cnt == 0)
		forget(m, p);
}

/* --- mappings ------------------------------------------------------------------------------- */

static size_t lower_bound(const struct rsp_process *p, __u64 start)
{
	size_t lo = 0, hi = p->maps.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->maps.v[mid]->rec.start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What a newer mapping covers only in part stays; readers take the newest at an address. */
static bool covers(const struct rsp_ev_mmap *new, const struct rsp_ev_mmap *old)
{
	return old->hdr.ts_ns <= new->hdr.ts_ns && old->start >= new->start &&
	       old->start - new->start <= new->len &&
	       old->len <= new->len - (old->start - new->start);
}

/* From index first on, drops what rec covers, as long as it could. */
static void drop_covered(struct rsp_mmaps *m, struct rsp_process *p, size_t first,
			 const struct rsp_ev_mmap *rec)
{
	size_t kept = first, i = first;

	for (; i < p->maps.cnt && p->maps.v[i]->rec.start - rec->start < rec->len; i++) {
		if (covers(rec, &p->maps.v[i]->rec))
			mapping_put(m, p->maps.v[i]);
		else
			p->maps.v[kept++] = p->maps.v[i];
	}
	if (kept == i)
		return;
	memmove(&p->maps.v[kept], &p->maps.v[i], (p->maps.cnt - i) * sizeof(*p->maps.v));
	p->maps.cnt -= i - kept;
}

static void drop_older(struct rsp_mmaps *m, struct rsp_process *p, __u64 ts_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->maps.cnt; i++) {
		if (p->maps.v[i]->rec.hdr.ts_ns < ts_ns)
			mapping_put(m, p->maps.v[i]);
		else
			p->maps.v[kept++] = p->maps.v[i];
	}
	p->maps.cnt = kept;
	relist(m, p);
}

int rsp_mmaps_add(struct rsp_mmaps *m, const struct rsp_ev_mmap *rec)
{
	struct rsp_process *p = find_or_add(m, rec->tgid);
	struct mapping *map;
	size_t i;

	if (!p)
		return -ENOMEM;
	if (rec->len == 0) {
		drop_older(m, p, rec->hdr.ts_ns);
		p->exec_ns = rec->hdr.ts_ns;
		return 0;
	}
	map = malloc(offsetof(struct mapping, rec) + rec->hdr.size);
	if (!map)
		return -ENOMEM;
	i = lower_bound(p, rec->start);
	drop_covered(m, p, i, rec);
	if (reserve(m, p) < 0) {
		free(map);
		return -ENOMEM;
	}
	map->ref_cnt = 1;
	map->order = m->added_cnt++;
	memcpy(&map->rec, rec, rec->hdr.size);
	memmove(&p->maps.v[i + 1], &p->maps.v[i], (p->maps.cnt - i) * sizeof(*p->maps.v));
	p->maps.v[i] = map;
	p->maps.cnt++;
	m->bytes += mapping_bytes(map);
	relist(m, p);
	return 0;
}

int rsp_mmaps_fork(struct rsp_mmaps *m, __u32 parent_tgid, __u32 tgid, __u64 ts_ns)
{
	const struct rsp_process *parent = find(m, parent_tgid);
	struct rsp_process *p = find_or_add(m, tgid);

	if (!p)
		return -ENOMEM;
	if (parent == p)
		return 0;
	drop_all(m, p);
	p->forked_ns = ts_ns;
	p->exec_ns = 0;
	for (size_t i = 0; parent && i < parent->maps.cnt; i++) {
		if (reserve(m, p) < 0)
			break;
		p->maps.v[p->maps.cnt++] = parent->maps.v[i];
		parent->maps.v[i]->ref_cnt++;
	}
	relist(m, p);
	return parent && p->maps.cnt < parent->maps.cnt ? -ENOMEM : 0;
}

size_t rsp_mmaps_drop(struct rsp_mmaps *m)
{
	struct rsp_process *p = TAILQ_FIRST(&m->list);
	size_t cnt;

	if (!p)
		return 0;
	cnt = p->maps.cnt;
	drop_all(m, p);
	if (p->thread_cnt == 0)
		forget(m, p);
	return cnt;
}

/* --- handing them out ----------------------------------------------------------------------- */

static int compare_ages(const void *a, const void *b)
{
	const struct mapping *x = *(struct mapping *const *)a, *y = *(struct mapping *const *)b;

	if (x->rec.hdr.ts_ns != y->rec.hdr.ts_ns)
		return x->rec.hdr.ts_ns < y->rec.hdr.ts_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Says that nothing is left of what the process inherited. */
static int call_for_exec(const struct rsp_process *p, rsp_mmaps_fn fn, void *userdata)
{
	const union {
		struct rsp_ev_mmap rec;
		char bytes[sizeof(struct rsp_ev_mmap) + 8]; /* an empty path */
	} marker = {.rec.hdr = {.kind = RSP_EV_MMAP, .size = sizeof(marker)}};

	return p->exec_ns ? fn(&marker.rec, p->tgid, p->exec_ns, userdata) : 0;
}

static int foreach_mapping(const struct rsp_process *p, rsp_mmaps_fn fn, void *userdata)
{
	_cleanup_free_ struct mapping **by_age = calloc(p->maps.cnt, sizeof(*by_age));
	int r;

	if (!by_age)
		return -ENOMEM;
	memcpy(by_age, p->maps.v, p->maps.cnt * sizeof(*by_age));
	qsort(by_age, p->maps.cnt, sizeof(*by_age), compare_ages);
	r = call_for_exec(p, fn, userdata);
	for (size_t i = 0; r >= 0 && i < p->maps.cnt; i++) {
		__u64 ts_ns = by_age[i]->rec.hdr.ts_ns;

		r = fn(&by_age[i]->rec, p->tgid, ts_ns > p->forked_ns ? ts_ns : p->forked_ns,
		       userdata);
	}
	return r;
}

int rsp_mmaps_foreach(const struct rsp_mmaps *m, rsp_mmaps_fn fn, void *userdata)
{
	const struct rsp_process *p;
	int r;

	TAILQ_FOREACH(p, &m->list, link)
	{
		r = foreach_mapping(p, fn, userdata);
		if (r < 0)
			return r;
	}
	return 0;
}
