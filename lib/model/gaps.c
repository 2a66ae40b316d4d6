/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns LOST records into lists of time ranges: the times for which scheduling records are missing,
 * and the pauses of the recorder.
 */
#include "lib/model/model-parts.h"

#include <stdlib.h>

#include "lib/base/array.h"

static int compare_gaps(const void *pa, const void *pb)
{
	const struct rsp_gap *a = pa, *b = pb;

	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

static void merge(struct rsp_gaps *gaps)
{
	size_t kept = 0;

	if (gaps->cnt == 0)
		return;
	qsort(gaps->v, gaps->cnt, sizeof(*gaps->v), compare_gaps);
	for (size_t i = 1; i < gaps->cnt; i++) {
		struct rsp_gap *gap = &gaps->v[kept];

		if (gaps->v[i].from_ns > gap->to_ns)
			gaps->v[++kept] = gaps->v[i];
		else if (gap->to_ns < gaps->v[i].to_ns)
			gap->to_ns = gaps->v[i].to_ns;
	}
	gaps->cnt = kept + 1;
}

static int add(struct rsp_gaps *gaps, const struct rsp_ev_lost *ev)
{
	struct rsp_gap *gap = rsp_array_add(gaps);

	if (!gap)
		return -ENOMEM;
	gap->to_ns = ev->hdr.ts_ns;
	gap->from_ns = ev->from_ns < gap->to_ns ? ev->from_ns : gap->to_ns;
	return 0;
}

static int add_loss(struct rsp_model *m, const struct rsp_ev_lost *ev)
{
	struct rsp_cpu *cpu = rsp_cpu_get(m, ev->hdr.cpu);
	int r = add(&m->gaps, ev);

	if (r < 0 || ev->hdr.flags & RSP_LOST_NOT_MADE)
		return r;
	r = cpu ? add(&cpu->blackouts, ev) : -ENOMEM;
	return r < 0 ? r : add(&m->blackouts, ev);
}

static int add_pause(struct rsp_model *m, const struct rsp_ev_lost *ev)
{
	int r = add(&rsp_pausing_of_cpu(m, ev->hdr.cpu)->pauses, ev);

	if (r == 0)
		r = add(&m->pauses, ev);
	return r < 0 || !(ev->hdr.flags & RSP_LOST_REQUESTED) ? r : add(&m->requested, ev);
}

int rsp_model_find_gaps(struct rsp_model *m)
{
	const __u64 kinds = 1 << RSP_EV_SWITCH | 1 << RSP_EV_WAKING | 1 << RSP_EV_TASK |
			    1 << RSP_EV_EXIT;

	for (size_t i = 0; i < m->trace->losses.cnt; i++) {
		const struct rsp_ev_lost *ev = m->trace->losses.v[i];
		int r = 0;

		if (ev->hdr.flags & RSP_LOST_PAUSED)
			r = add_pause(m, ev);
		else if (!ev->kinds || ev->kinds & kinds)
			r = add_loss(m, ev);
		if (r < 0)
			return r;
	}
	merge(&m->gaps);
	merge(&m->blackouts);
	merge(&m->pauses);
	merge(&m->requested);
	for (size_t i = 0; i < RSP_HOST_CNT_MAX; i++)
		merge(&m->pausing[i].pauses);
	for (size_t i = 0; i < m->cpus.cnt; i++)
		merge(&m->cpus.v[i].blackouts);
	return 0;
}

size_t rsp_gap_after(const struct rsp_gaps *gaps, __u64 ts_ns)
{
	size_t lo = 0, hi = gaps->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (gaps->v[mid].to_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool rsp_gap_overlaps(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns)
{
	size_t i = rsp_gap_after(gaps, from_ns);

	return i < gaps->cnt && gaps->v[i].from_ns <= to_ns;
}

__u64 rsp_gap_within(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns)
{
	__u64 ns = 0;

	for (size_t i = rsp_gap_after(gaps, from_ns); i < gaps->cnt; i++) {
		const struct rsp_gap *gap = &gaps->v[i];

		if (gap->from_ns >= to_ns)
			break;
		ns += (gap->to_ns < to_ns ? gap->to_ns : to_ns) -
		      (gap->from_ns > from_ns ? gap->from_ns : from_ns);
	}
	return ns;
}

__u64 rsp_model_paused_ns(const struct rsp_model *m)
{
	return rsp_gap_within(&m->pauses, m->since_ns, m->until_ns);
}
