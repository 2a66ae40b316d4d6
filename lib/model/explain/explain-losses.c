/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the lost records that the explanation may lack: a loss long before or after the explained
 * span does no harm.
 */
#include "lib/model/explain/explain-parts.h"

static const __u64 momentary = 1 << RSP_EV_SAMPLE | 1 << RSP_EV_IRQ;

static bool is_within(const struct rsp_ev_lost *lost, __u64 from_ns, __u64 to_ns)
{
	__u64 began_ns = lost->from_ns < lost->hdr.ts_ns ? lost->from_ns : lost->hdr.ts_ns;

	return lost->hdr.ts_ns >= from_ns && began_ns <= to_ns;
}

/*
 * A loss within the span counts. Outside the span, a loss counts only within the reach of the
 * explanation. If the kinds of the lost records are unknown (0), records of any kind may be lost.
 */
static bool counts(const struct rsp_model *m, const struct rsp_reach *reach,
		   const struct rsp_ev_lost *lost)
{
	if (is_within(lost, m->since_ns, m->until_ns))
		return true;
	if (!lost->kinds || lost->kinds & 1 << RSP_EV_TASK)
		if (is_within(lost, reach->named_ns, m->until_ns))
			return true;
	if (lost->kinds && !(lost->kinds & ~momentary))
		return false;
	return is_within(lost, reach->from_ns, reach->to_ns);
}

/* Some of the counted records may lie outside the span, so the number is an upper limit. */
__u64 rsp_explain_lost(const struct rsp_model *m, const struct rsp_reach *reach)
{
	__u64 cnt = 0;

	for (size_t i = 0; i < m->trace->losses.cnt; i++)
		if (counts(m, reach, m->trace->losses.v[i]))
			cnt += m->trace->losses.v[i]->lost_cnt;
	return cnt;
}

static size_t events_before(const struct rsp_trace *trace, __u64 ts_ns)
{
	size_t lo = 0, hi = trace->event_cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (trace->events[mid]->ts_ns < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

__u64 rsp_explain_events(const struct rsp_model *m)
{
	size_t end = m->until_ns == UINT64_MAX ? m->trace->event_cnt
					       : events_before(m->trace, m->until_ns + 1);

	return end - events_before(m->trace, m->since_ns);
}
