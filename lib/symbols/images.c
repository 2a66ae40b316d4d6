/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See images.h. Forked processes share one address space here until one of them maps something: a
 * shell that forks and execs all day costs no copies.
 *
 * Exits are not looked at. A process outlives the exit of its first thread, the last moments of an
 * exit are recorded after it, and a reused tgid announces itself by FORK.
 */
#include "images.h"

#include <stdbool.h>

#include "lib/base/array.h"
#include "lib/base/idmap.h"

/*
 * Without a marker (see exec()): the kernel maps the new program before it reports the exec, so
 * what was mapped this shortly before belongs to it. Loading takes microseconds from the page cache
 * and some milliseconds from a disk.
 */
#define EXEC_LOAD_NS (50 * 1000000ULL)

/* Bounds what a forged file can make each insertion move; the largest real processes have hundreds.
 */
#define MAPS_MAX 16384

struct map {
	__u64 start, end;
	const struct rsp_ev_mmap *ev; /* may reach further: the rest was mapped over */
};

struct space {
	struct map *v; /* sorted, apart from each other */
	size_t cnt, cap;
	size_t refs;
};

/* A process, from its first record on. */
struct image {
	struct space *space; /* NULL: nothing mapped */
	bool replaced;	     /* dropped by a marker, and the EXEC record is still to come */
};

struct rsp_images {
	struct {
		struct image *v;
		size_t cnt, cap;
	} images;
	struct rsp_idmap by_tgid; /* index into images */
	struct rsp_idmap tgids;	  /* tid -> tgid */
};

/* --- address spaces -------------------------------------------------------------------------- */

static struct space *space_get(struct space *s)
{
	if (s)
		s->refs++;
	return s;
}

static struct space *space_put(struct space *s)
{
	if (s && --s->refs == 0) {
		free(s->v);
		free(s);
	}
	return NULL;
}

/* Makes the image's space its own before a change. */
static int space_own(struct image *image)
{
	struct space *old = image->space, *s;

	if (old && old->refs == 1)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->refs = 1;
	if (old && old->cnt) {
		s->v = calloc(old->cnt, sizeof(*s->v));
		if (!s->v) {
			free(s);
			return -ENOMEM;
		}
		memcpy(s->v, old->v, old->cnt * sizeof(*s->v));
		s->cnt = s->cap = old->cnt;
	}
	space_put(old);
	image->space = s;
	return 0;
}

/* Index of the first mapping that ends beyond addr. */
static size_t space_find(const struct space *s, __u64 addr)
{
	size_t lo = 0, hi = s->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->v[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Puts a mapping in place of all it overlaps; what sticks out at either side stays. */
static int space_insert(struct space *s, struct map new)
{
	size_t first = space_find(s, new.start), behind = first, cnt = 0;
	struct map pieces[3];
	void *v = s->v;

	while (behind < s->cnt && s->v[behind].start < new.end)
		behind++;
	if (first < behind && s->v[first].start < new.start) {
		pieces[cnt] = s->v[first];
		pieces[cnt++].end = new.start;
	}
	pieces[cnt++] = new;
	if (first < behind && s->v[behind - 1].end > new.end) {
		pieces[cnt] = s->v[behind - 1];
		pieces[cnt++].start = new.end;
	}
	/* One mapping may become three. */
	if (rsp_array_reserve(&v, s->cnt + 1, &s->cap, sizeof(*s->v)) < 0)
		return -ENOMEM;
	s->v = v;
	memmove(s->v + first + cnt, s->v + behind, (s->cnt - behind) * sizeof(*s->v));
	memcpy(s->v + first, pieces, cnt * sizeof(*s->v));
	s->cnt = s->cnt - (behind - first) + cnt;
	return 0;
}

/* --- records --------------------------------------------------------------------------------- */

static struct image *find_image(const struct rsp_images *images, __u32 tgid)
{
	uint64_t i;

	return rsp_idmap_get(&images->by_tgid, tgid, &i) ? &images->images.v[i] : NULL;
}

static struct image *get_image(struct rsp_images *images, __u32 tgid)
{
	struct image *image = find_image(images, tgid);

	if (image)
		return image;
	if (rsp_idmap_put(&images->by_tgid, tgid, images->images.cnt) < 0)
		return NULL;
	image = rsp_array_add(&images->images);
	if (!image)
		rsp_idmap_remove(&images->by_tgid, tgid);
	return image;
}

/*
 * A mapping of length 0 is the recorder's marker for "the address space was replaced": perf's comm
 * record of an exec, which the kernel writes before it maps anything of the new program.
 */
static int apply_mmap(struct rsp_images *images, const struct rsp_ev_mmap *ev)
{
	struct image *image = get_image(images, ev->tgid);

	if (!image)
		return -ENOMEM;
	if (!ev->len) {
		image->space = space_put(image->space);
		image->replaced = true;
		return 0;
	}
	if (ev->len > UINT64_MAX - ev->start)
		return 0;
	if (space_own(image) < 0)
		return -ENOMEM;
	if (image->space->cnt + 2 > MAPS_MAX)
		return 0;
	return space_insert(image->space, (struct map){ev->start, ev->start + ev->len, ev});
}

/* A clone that shares memory (vfork) is shown as a copy: it does little until its exec. */
static int apply_fork(struct rsp_images *images, const struct rsp_ev_task *ev)
{
	struct image *image = get_image(images, ev->tgid), *parent;
	uint64_t parent_tgid = ev->ptid;
	struct space *space;

	if (!image)
		return -ENOMEM;
	rsp_idmap_get(&images->tgids, ev->ptid, &parent_tgid);
	parent = find_image(images, (__u32)parent_tgid);
	space = space_get(parent ? parent->space : NULL);
	space_put(image->space);
	image->space = space;
	image->replaced = false;
	return 0;
}

/*
 * The kernel reports an exec after it has mapped the new program, so at this record old and new
 * mappings are both there. The marker has told them apart; where it is missing, age must.
 */
static int apply_exec(struct rsp_images *images, const struct rsp_ev_task *ev)
{
	struct image *image = find_image(images, ev->tgid);
	struct space *s;
	size_t kept = 0;

	if (!image || !image->space || image->replaced) {
		if (image)
			image->replaced = false;
		return 0;
	}
	if (space_own(image) < 0)
		return -ENOMEM;
	s = image->space;
	for (size_t i = 0; i < s->cnt; i++)
		if (s->v[i].ev->hdr.ts_ns + EXEC_LOAD_NS >= ev->hdr.ts_ns)
			s->v[kept++] = s->v[i];
	s->cnt = kept;
	return 0;
}

static int apply_task(struct rsp_images *images, const struct rsp_ev_task *ev)
{
	if (rsp_idmap_put(&images->tgids, ev->tid, ev->tgid) < 0)
		return -ENOMEM;
	if (ev->hdr.flags & RSP_TASK_FORK && ev->tid == ev->tgid)
		return apply_fork(images, ev);
	if (ev->hdr.flags & RSP_TASK_EXEC)
		return apply_exec(images, ev);
	return 0;
}

int rsp_images_apply(struct rsp_images *images, const struct rsp_ev_hdr *ev)
{
	switch (ev->kind) {
	case RSP_EV_TASK:
		return apply_task(images, (const struct rsp_ev_task *)ev);
	case RSP_EV_MMAP:
		return apply_mmap(images, (const struct rsp_ev_mmap *)ev);
	default:
		return 0;
	}
}

const struct rsp_ev_mmap *rsp_images_find(const struct rsp_images *images, __u32 tgid, __u64 addr)
{
	const struct image *image = find_image(images, tgid);
	const struct space *s = image ? image->space : NULL;
	size_t i;

	if (!s)
		return NULL;
	i = space_find(s, addr);
	return i < s->cnt && s->v[i].start <= addr ? s->v[i].ev : NULL;
}

int rsp_images_new(struct rsp_images **ret)
{
	struct rsp_images *images = calloc(1, sizeof(*images));

	if (!images)
		return -ENOMEM;
	*ret = images;
	return 0;
}

struct rsp_images *rsp_images_free(struct rsp_images *images)
{
	if (!images)
		return NULL;
	for (size_t i = 0; i < images->images.cnt; i++)
		space_put(images->images.v[i].space);
	free(images->images.v);
	rsp_idmap_done(&images->by_tgid);
	rsp_idmap_done(&images->tgids);
	free(images);
	return NULL;
}
