/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the clock of each host. Each step compares every host whose clock is unknown with every
 * host whose clock is known, and places the host of the pair with the smallest uncertainty. So a
 * host that never talks to the first host is compared with another host. At the end, finds the span
 * that all recordings contain.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/merge/merge-parts.h"

__u64 rsp_merge_time(const struct rsp_merging *m, size_t host, __u64 ts_ns)
{
	return host ? rsp_clock_map(&m->hosts[host].clock, ts_ns) : ts_ns;
}

/* --- the times that a recording contains ------------------------------------------------------ */

static __u64 begin_ns(const struct rsp_meta *meta)
{
	return meta->window_oldest_ns ? meta->window_oldest_ns : meta->since_ns;
}

static __u64 end_ns(const struct rsp_meta *meta)
{
	return meta->events_until_ns ? meta->events_until_ns : meta->until_ns;
}

static __u64 later(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static __u64 earlier(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

/* --- one clock -------------------------------------------------------------------------------- */

struct pair {
	__u32 host, reference;
	struct rsp_clock_map clock; /* the clock of host, relative to the clock of the reference */
	/* the uncertainty of this clock, plus that of the reference */
	__u64 uncertainty_ns;
};

static int find_crossings(const struct rsp_merging *m, const struct pair *pair,
			  struct rsp_crossing **ret, size_t *ret_cnt)
{
	int r = rsp_crossings_find(&m->traffic[pair->reference], pair->reference,
				   &m->traffic[pair->host], pair->host, ret, ret_cnt);

	for (size_t i = 0; r == 0 && i < *ret_cnt; i++)
		(*ret)[i].here_ns = rsp_merge_time(m, pair->reference, (*ret)[i].here_ns);
	return r;
}

/* The span is on the clock of pair->host. */
static void common_span(const struct rsp_merging *m, const struct pair *pair, __u64 *ret_from_ns,
			__u64 *ret_to_ns)
{
	const struct rsp_meta *own = &m->hosts[pair->host].snap->meta,
			      *other = &m->hosts[pair->reference].snap->meta;
	__u64 from_ns = rsp_merge_time(m, pair->reference, begin_ns(other)),
	      to_ns = rsp_merge_time(m, pair->reference, end_ns(other));

	*ret_from_ns = later(begin_ns(own), rsp_clock_unmap(&pair->clock, from_ns));
	*ret_to_ns = earlier(end_ns(own), rsp_clock_unmap(&pair->clock, to_ns));
}

/* The first estimate determines the common span, and the second estimate is made for this span. */
static int fit(const struct rsp_merging *m, struct pair *pair)
{
	_cleanup_free_ struct rsp_crossing *v = NULL;
	__u64 from_ns, to_ns;
	size_t cnt = 0;
	int r = find_crossings(m, pair, &v, &cnt);

	if (r == 0)
		r = rsp_clock_fit(v, cnt, cnt ? v[0].there_ns : 0, cnt ? v[0].there_ns : 0,
				  &pair->clock);
	if (r < 0)
		return r;
	common_span(m, pair, &from_ns, &to_ns);
	r = rsp_clock_fit(v, cnt, from_ns, to_ns, &pair->clock);
	pair->uncertainty_ns = pair->clock.uncertainty_ns;
	if (pair->reference)
		pair->uncertainty_ns += m->hosts[pair->reference].clock.uncertainty_ns;
	return r;
}

/* --- all clocks ------------------------------------------------------------------------------- */

static bool is_placed(const struct rsp_merging *m, __u32 host)
{
	return host == 0 || m->hosts[host].is_placed;
}

/* Keeps the fault of the pair for which the estimate came furthest. */
static void note_fault(struct rsp_merging *m, const struct pair *pair, int error, int *fault)
{
	int now = error == -ERANGE     ? RSP_MERGE_CLOCKS
		  : error == -ENOTCONN ? RSP_MERGE_ONE_WAY
				       : RSP_MERGE_UNCONNECTED;
	bool to_host = pair->clock.there_cnt;

	if (now < *fault || (now == *fault && now == RSP_MERGE_UNCONNECTED))
		return;
	*fault = now;
	m->result->a = pair->host;
	m->result->b = pair->reference;
	if (now == RSP_MERGE_ONE_WAY && to_host) {
		m->result->a = pair->reference;
		m->result->b = pair->host;
	}
}

/* If no pair has an estimate, returns the fault that note_fault() kept. */
static int best_pair(struct rsp_merging *m, struct pair *ret)
{
	int fault = 0;
	bool any = false;

	for (__u32 host = 1; host < m->cnt; host++) {
		for (__u32 reference = 0; reference < m->cnt; reference++) {
			struct pair pair = {.host = host, .reference = reference};
			int r;

			if (is_placed(m, host) || !is_placed(m, reference))
				continue;
			r = fit(m, &pair);
			if (r == -ENOMEM)
				return r;
			if (r < 0)
				note_fault(m, &pair, r, &fault);
			else if (!any || pair.uncertainty_ns < ret->uncertainty_ns)
				*ret = pair;
			any |= r == 0;
		}
	}
	return any ? 0 : fault;
}

static void place(struct rsp_merging *m, const struct pair *pair)
{
	struct rsp_merge_host *host = &m->hosts[pair->host];

	host->is_placed = true;
	host->clock = pair->clock;
	host->clock.uncertainty_ns = pair->uncertainty_ns;
	m->result->hosts[pair->host].reference = pair->reference;
	m->result->hosts[pair->host].sent_cnt = pair->clock.here_cnt;
	m->result->hosts[pair->host].received_cnt = pair->clock.there_cnt;
}

/* --- messages of hosts whose clocks were not compared ----------------------------------------- */

static int count_early(struct rsp_merging *m, __u32 host, __u32 reference)
{
	_cleanup_free_ struct rsp_crossing *v = NULL;
	struct pair pair = {.host = host, .reference = reference};
	size_t cnt = 0;
	int r = find_crossings(m, &pair, &v, &cnt);

	for (size_t i = 0; r == 0 && i < cnt; i++) {
		__u64 there_ns = rsp_merge_time(m, host, v[i].there_ns);
		__s64 early_ns = (__s64)(there_ns - v[i].here_ns);

		if (!v[i].arrives_here)
			early_ns = -early_ns;
		if (early_ns <= 0)
			continue;
		m->result->early_cnt++;
		m->result->early_ns = later(m->result->early_ns, (__u64)early_ns);
	}
	return r;
}

static int count_all_early(struct rsp_merging *m)
{
	int r = 0;

	for (__u32 host = 1; host < m->cnt; host++)
		for (__u32 other = 0; other < host && r == 0; other++)
			r = count_early(m, host, other);
	return r;
}

/* --- the common span -------------------------------------------------------------------------- */

/* Outside of the time that all recordings contain, the events of some hosts are unknown. */
static int cut_span(struct rsp_merging *m)
{
	struct rsp_meta *meta = &m->result->meta;
	__u64 from_ns = begin_ns(meta), to_ns = end_ns(meta), since_ns = meta->since_ns,
	      until_ns = meta->until_ns;

	m->result->a = 0;
	for (__u32 i = 1; i < m->cnt; i++) {
		const struct rsp_meta *other = &m->hosts[i].snap->meta;

		if (rsp_merge_time(m, i, begin_ns(other)) > from_ns)
			m->result->a = i;
		from_ns = later(from_ns, rsp_merge_time(m, i, begin_ns(other)));
		to_ns = earlier(to_ns, rsp_merge_time(m, i, end_ns(other)));
	}
	meta->since_ns = later(since_ns, from_ns);
	meta->until_ns = earlier(until_ns, to_ns);
	if (meta->since_ns >= meta->until_ns)
		return RSP_MERGE_APART;
	meta->window_oldest_ns = from_ns;
	meta->events_until_ns = to_ns;
	m->result->cut_ns = until_ns - since_ns - (meta->until_ns - meta->since_ns);
	return 0;
}

/* META contains the clocks as they are at the beginning of the span. */
static void describe(struct rsp_merging *m)
{
	struct rsp_meta *meta = &m->result->meta;

	for (__u32 i = 1; i < m->cnt; i++) {
		const struct rsp_clock_map *clock = &m->hosts[i].clock;
		__u64 there_ns = rsp_clock_unmap(clock, meta->since_ns);

		meta->hosts[i].offset_ns = (int64_t)(meta->since_ns - there_ns);
		meta->hosts[i].drift_ppb = (int32_t)(clock->drift * 1e9 +
						     (clock->drift < 0 ? -0.5 : 0.5));
		meta->hosts[i].drift_error_ppb = (uint32_t)(clock->drift_error * 1e9 + 0.5);
		meta->hosts[i].uncertainty_ns = clock->uncertainty_ns;
	}
}

int rsp_merge_clocks(struct rsp_merging *m)
{
	int r = 0;

	for (size_t i = 1; i < m->cnt && r == 0; i++) {
		struct pair pair = {0};

		r = best_pair(m, &pair);
		if (r == 0)
			place(m, &pair);
	}
	if (r == 0)
		r = count_all_early(m);
	if (r == 0)
		r = cut_span(m);
	if (r == 0)
		describe(m);
	return r;
}
