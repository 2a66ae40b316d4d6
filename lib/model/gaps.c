/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LOST records -> the times of which scheduling records are missing, ordered and disjoint. */
#include "build.h"

#include <stdlib.h>

#include "lib/base/array.h"

static int compare_gaps(const void *pa, const void *pb)
{
	const struct rsp_gap *a = pa, *b = pb;

	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

static void merge_gaps(struct rsp_model *m)
{
	size_t kept = 0;

	if (m->gaps.cnt == 0)
		return;
	qsort(m->gaps.v, m->gaps.cnt, sizeof(*m->gaps.v), compare_gaps);
	for (size_t i = 1; i < m->gaps.cnt; i++) {
		struct rsp_gap *gap = &m->gaps.v[kept];

		if (m->gaps.v[i].from_ns > gap->to_ns)
			m->gaps.v[++kept] = m->gaps.v[i];
		else if (gap->to_ns < m->gaps.v[i].to_ns)
			gap->to_ns = m->gaps.v[i].to_ns;
	}
	m->gaps.cnt = kept + 1;
}

int rsp_model_find_gaps(struct rsp_model *m)
{
	const __u64 kinds = 1 << RSP_EV_SWITCH | 1 << RSP_EV_WAKING | 1 << RSP_EV_TASK |
			    1 << RSP_EV_EXIT;

	for (size_t i = 0; i < m->trace->losses.cnt; i++) {
		const struct rsp_ev_lost *ev = m->trace->losses.v[i];
		struct rsp_gap *gap;

		if (ev->kinds && !(ev->kinds & kinds))
			continue;
		gap = rsp_array_add(&m->gaps);
		if (!gap)
			return -ENOMEM;
		gap->to_ns = ev->hdr.ts_ns;
		gap->from_ns = ev->from_ns < gap->to_ns ? ev->from_ns : gap->to_ns;
	}
	merge_gaps(m);
	return 0;
}

size_t rsp_gap_after(const struct rsp_model *m, __u64 ts_ns)
{
	size_t lo = 0, hi = m->gaps.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->gaps.v[mid].to_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool rsp_gap_overlaps(const struct rsp_model *m, __u64 from_ns, __u64 to_ns)
{
	size_t i = rsp_gap_after(m, from_ns);

	return i < m->gaps.cnt && m->gaps.v[i].from_ns <= to_ns;
}
