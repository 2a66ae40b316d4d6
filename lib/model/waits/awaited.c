/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See awaited.h. */
#include "lib/model/waits/awaited.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/sort.h"
#include "lib/model/ends.h"

static int add(struct rsp_awaited *a, __u32 thread, __u64 from_ns, __u64 to_ns)
{
	struct rsp_awaited_stretch *stretch = rsp_array_add(a);

	if (!stretch)
		return -ENOMEM;
	*stretch = (struct rsp_awaited_stretch){from_ns, to_ns, thread};
	return 0;
}

bool rsp_awaited_at_end(const struct rsp_awaited *a, const struct rsp_thread *t, __u32 thread,
			const struct rsp_span *span)
{
	__u64 end_ns = rsp_span_end(t, (size_t)(span - t->spans.v));

	return rsp_awaited_within(a, thread, end_ns - 1, end_ns);
}

struct search {
	const struct rsp_model *m;
	const struct rsp_polls *polls;
	struct rsp_used *used;
	const bool *is_root;
};

/*
 * Adds a wait that a thread of the process ended. A thread of a pool sometimes wakes up only to
 * look for work. Such a sleep is a wait for its waker only if another thread waits for the pool's
 * thread at that time; a second round adds these sleeps. needed: the result of the first round;
 * NULL in the first round.
 */
static int add_wait(struct rsp_awaited *a, const struct search *s,
		    const struct rsp_end_of_wait *end, const struct rsp_awaited *needed)
{
	const struct rsp_thread *t = &s->m->threads.v[end->thread];
	const struct rsp_span *span = &t->spans.v[end->span];
	bool is_look = s->is_root[end->thread] && rsp_polls_is_look(s->polls, t, span);

	if (is_look != (needed != NULL))
		return 0;
	/* an idle kernel thread does not wait for its waker */
	if (rsp_span_waits_for_work(span))
		return 0;
	if (is_look && !rsp_awaited_at_end(needed, t, end->thread, span))
		return 0;
	rsp_used_span(s->used, end->thread, end->span);
	return add(a, end->ender, span->from_ns, rsp_span_end(t, end->span));
}

static int add_waits(struct rsp_awaited *a, const struct search *s, __u32 thread,
		     const struct rsp_awaited *needed)
{
	const struct rsp_thread *t = &s->m->threads.v[thread];

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u32 who = rsp_span_ender(s->m, t, i);
		const struct rsp_end_of_wait end = {who, thread, i};

		if (who == RSP_NO_THREAD || !s->is_root[who])
			continue;
		if (add_wait(a, s, &end, needed) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_ended(struct rsp_awaited *a, const struct search *s, __u32 ender,
		     const struct rsp_awaited *needed)
{
	const struct rsp_model_ends *ends = s->m->ends;

	for (size_t i = rsp_model_ends_of(ends, ender); i < ends->cnt; i++) {
		if (ends->v[i].ender != ender)
			break;
		if (add_wait(a, s, &ends->v[i], needed) < 0)
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

static int sort_and_merge(struct rsp_awaited *a)
{
	int r = rsp_sort(a->v, a->cnt, sizeof(*a->v), compare);

	if (r == 0)
		merge(a);
	return r;
}

static int find_round(struct rsp_awaited *a, const struct search *s,
		      const struct rsp_awaited *needed)
{
	int r = 0;

	for (size_t i = 0; i < s->m->threads.cnt && r == 0; i++) {
		if (!s->m->ends)
			r = add_waits(a, s, (__u32)i, needed);
		else if (s->is_root[i])
			r = add_ended(a, s, (__u32)i, needed);
	}
	return r;
}

static int find_rounds(struct rsp_awaited *a, const struct search *s)
{
	_cleanup_(rsp_awaited_done) struct rsp_awaited looks = {0};
	int r = find_round(a, s, NULL);

	if (r == 0)
		r = sort_and_merge(a);
	if (r == 0)
		r = find_round(&looks, s, a);
	for (size_t i = 0; i < looks.cnt && r == 0; i++)
		r = add(a, looks.v[i].thread, looks.v[i].from_ns, looks.v[i].to_ns);
	return r == 0 ? sort_and_merge(a) : r;
}

int rsp_awaited_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     const struct rsp_polls *polls, struct rsp_used *used, struct rsp_awaited *ret)
{
	_cleanup_free_ bool *is_root = calloc(m->threads.cnt + 1, sizeof(*is_root));
	_cleanup_(rsp_awaited_done) struct rsp_awaited a = {0};
	int r;

	if (!is_root)
		return -ENOMEM;
	for (size_t i = 0; i < roots->cnt; i++)
		is_root[roots->v[i].thread] = true;
	r = find_rounds(&a, &(struct search){m, polls, used, is_root});
	if (r < 0)
		return r;
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

	/* Find the first stretch that ends after from_ns. */
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
