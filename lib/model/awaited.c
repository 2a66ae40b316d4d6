/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See awaited.h. */
#include "awaited.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/sort.h"

static int add(struct rsp_awaited *a, __u32 thread, __u64 from_ns, __u64 to_ns)
{
	struct rsp_awaited_stretch *stretch = rsp_array_add(a);

	if (!stretch)
		return -ENOMEM;
	*stretch = (struct rsp_awaited_stretch){from_ns, to_ns, thread};
	return 0;
}

static int add_waits(struct rsp_awaited *a, const struct rsp_model *m, __u32 thread,
		     const bool *is_root, struct rsp_used *used)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u32 who = rsp_span_ender(m, t, i);

		if (who == RSP_NO_THREAD || !is_root[who])
			continue;
		rsp_used_span(used, thread, i);
		if (add(a, who, t->spans.v[i].from_ns, rsp_span_end(t, i)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_awaited_stretch *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

/* Merges stretches of a sorted list that touch. */
static void merge(struct rsp_awaited *a)
{
	size_t cnt = 0;

	for (size_t i = 0; i < a->cnt; i++) {
		struct rsp_awaited_stretch *last = cnt ? &a->v[cnt - 1] : NULL;

		if (last && last->thread == a->v[i].thread && a->v[i].from_ns <= last->to_ns) {
			if (last->to_ns < a->v[i].to_ns)
				last->to_ns = a->v[i].to_ns;
		} else {
			a->v[cnt++] = a->v[i];
		}
	}
	a->cnt = cnt;
}

int rsp_awaited_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     struct rsp_used *used, struct rsp_awaited *ret)
{
	_cleanup_free_ bool *is_root = calloc(m->threads.cnt + 1, sizeof(*is_root));
	_cleanup_(rsp_awaited_done) struct rsp_awaited a = {0};
	int r;

	if (!is_root)
		return -ENOMEM;
	for (size_t i = 0; i < roots->cnt; i++)
		is_root[roots->v[i].thread] = true;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		r = add_waits(&a, m, (__u32)i, is_root, used);
		if (r < 0)
			return r;
	}
	r = rsp_sort(a.v, a.cnt, sizeof(*a.v), compare);
	if (r < 0)
		return r;
	merge(&a);
	*ret = a;
	a = (struct rsp_awaited){0};
	return 0;
}

void rsp_awaited_done(struct rsp_awaited *a)
{
	free(a->v);
	*a = (struct rsp_awaited){0};
}

bool rsp_awaited_within(const struct rsp_awaited *a, __u32 thread, __u64 from_ns, __u64 to_ns)
{
	size_t low = 0, high = a->cnt;

	/* The first that ends after from_ns. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct rsp_awaited_stretch *s = &a->v[middle];

		if (s->thread < thread || (s->thread == thread && s->to_ns <= from_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->cnt && a->v[low].thread == thread && a->v[low].from_ns < to_ns;
}
