/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trace-parts.h. */
#include "lib/trace/trace-parts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"

int rsp_trace_add_mark(struct rsp_trace *trace, const struct rsp_ev_mark *mark)
{
	const struct rsp_ev_mark **slot = rsp_array_add(&trace->marks);

	if (!slot)
		return -ENOMEM;
	*slot = mark;
	return 0;
}

int rsp_trace_add_counters(struct rsp_trace *trace, const struct rsp_ev_counters *counters)
{
	const struct rsp_ev_counters **slot;

	if (counters->hdr.flags >= RSP_COUNTER_SET_CNT)
		return 0;
	slot = rsp_array_add(&trace->counters);
	if (!slot)
		return -ENOMEM;
	*slot = counters;
	return 0;
}

static int compare(const struct rsp_ev_hdr *a, const struct rsp_ev_hdr *b)
{
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns ? -1 : 1;
	if (a->flags != b->flags)
		return a->flags < b->flags ? -1 : 1;
	return memcmp(a, b, a->size);
}

static int compare_marks(const void *pa, const void *pb)
{
	const struct rsp_ev_mark *const *a = pa, *const *b = pb;

	return compare(&(*a)->hdr, &(*b)->hdr);
}

static int compare_counters(const void *pa, const void *pb)
{
	const struct rsp_ev_counters *const *a = pa, *const *b = pb;

	return compare(&(*a)->hdr, &(*b)->hdr);
}

void rsp_trace_sort_marks(struct rsp_trace *trace)
{
	if (trace->marks.cnt)
		qsort(trace->marks.v, trace->marks.cnt, sizeof(*trace->marks.v), compare_marks);
	if (trace->counters.cnt)
		qsort(trace->counters.v, trace->counters.cnt, sizeof(*trace->counters.v),
		      compare_counters);
}
