/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ends.h. */
#include "lib/model/ends.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/model/model-parts.h"

static int add_thread(const struct rsp_model *m, __u32 thread, struct rsp_model_ends *e)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u32 ender = rsp_span_ender(m, t, i);
		struct rsp_end_of_wait *slot;

		if (ender == RSP_NO_THREAD)
			continue;
		slot = rsp_array_add(e);
		if (!slot)
			return -ENOMEM;
		*slot = (struct rsp_end_of_wait){ender, thread, i};
	}
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_end_of_wait *a = pa, *b = pb;

	if (a->ender != b->ender)
		return a->ender < b->ender ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->span < b->span ? -1 : a->span > b->span;
}

static int find_senders(const struct rsp_trace *trace, struct rsp_idmap *ret)
{
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_net *ev = (const void *)trace->events[i];

		if (ev->hdr.kind == RSP_EV_NET && ev->hdr.flags & (RSP_NET_SEND | RSP_NET_CONNECT))
			r = rsp_idmap_put(ret, ev->tid, 1);
	}
	return r;
}

static int find(const struct rsp_model *m, struct rsp_model_ends *e)
{
	int r = find_senders(m->trace, &e->senders);

	for (size_t i = 0; i < m->threads.cnt && r == 0; i++)
		r = add_thread(m, (__u32)i, e);
	return r == 0 ? rsp_sort(e->v, e->cnt, sizeof(*e->v), compare) : r;
}

int rsp_model_ends_new(const struct rsp_model *m, struct rsp_model_ends **ret)
{
	struct rsp_model_ends *e = calloc(1, sizeof(*e));
	int r = e ? find(m, e) : -ENOMEM;

	if (r < 0)
		rsp_model_ends_free(e);
	else
		*ret = e;
	return r;
}

struct rsp_model_ends *rsp_model_ends_free(struct rsp_model_ends *e)
{
	if (!e)
		return NULL;
	free(e->v);
	rsp_idmap_done(&e->senders);
	free(e);
	return NULL;
}

size_t rsp_model_ends_of(const struct rsp_model_ends *e, __u32 ender)
{
	size_t lo = 0, hi = e->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (e->v[mid].ender < ender)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
