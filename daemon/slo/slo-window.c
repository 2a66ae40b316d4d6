/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slo-window.h. */
#include "daemon/slo/slo-window.h"

#include <stdint.h>
#include <string.h>

#define PPM 1000000

__u64 rsp_slo_bucket_limit_ns(size_t bucket)
{
	if (bucket >= RSP_SLO_BUCKET_CNT - 1)
		return UINT64_MAX;
	return ((4 + bucket % 4) << (bucket / 4)) * 250;
}

void rsp_slo_window_init(struct rsp_slo_window *w, __u64 span_ns)
{
	memset(w, 0, sizeof(*w));
	w->tenth_ns = span_ns / RSP_SLO_TENTH_CNT;
	if (!w->tenth_ns)
		w->tenth_ns = 1;
}

/*
 * If the entry still contains an older tenth, empties it first. Returns NULL if the entry contains
 * a newer tenth.
 */
static struct rsp_slo_tenth *tenth_at(struct rsp_slo_window *w, __u64 ts_ns)
{
	__u64 number = ts_ns / w->tenth_ns;
	struct rsp_slo_tenth *tenth = &w->tenths[number % RSP_SLO_TENTH_CNT];

	if (tenth->number > number)
		return NULL;
	if (tenth->number < number)
		*tenth = (struct rsp_slo_tenth){.number = number};
	return tenth;
}

void rsp_slo_window_add(struct rsp_slo_window *w, __u64 now_ns, const struct rsp_slo_counts *more)
{
	struct rsp_slo_tenth *tenth = tenth_at(w, now_ns);

	if (!tenth)
		return;
	tenth->over_cnt += more->over_cnt;
	for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++) {
		tenth->cnt += more->buckets[i];
		tenth->buckets[i] += (__u32)more->buckets[i];
	}
}

void rsp_slo_window_see(struct rsp_slo_window *w, const struct rsp_slo_case *seen)
{
	struct rsp_slo_tenth *tenth = tenth_at(w, seen->end_ns);

	if (tenth && rsp_slo_case_ns(seen) > rsp_slo_case_ns(&tenth->worst))
		tenth->worst = *seen;
}

static __u64 rank_of(__u64 cnt, __u32 quantile_ppm)
{
	return (__u64)(((unsigned __int128)cnt * quantile_ppm + PPM - 1) / PPM);
}

static __u64 least_of(const __u64 *buckets, __u64 rank)
{
	__u64 cnt = 0;

	for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++) {
		cnt += buckets[i];
		if (cnt >= rank)
			return i ? rsp_slo_bucket_limit_ns(i - 1) : 0;
	}
	return 0;
}

void rsp_slo_window_judge(const struct rsp_slo_window *w, __u64 now_ns, __u32 quantile_ppm,
			  __u64 threshold_ns, struct rsp_slo_verdict *ret)
{
	__u64 number = now_ns / w->tenth_ns, buckets[RSP_SLO_BUCKET_CNT] = {0}, rank;
	struct rsp_slo_verdict verdict = {0};

	for (size_t i = 0; i < RSP_SLO_TENTH_CNT; i++) {
		const struct rsp_slo_tenth *tenth = &w->tenths[i];

		if (tenth->number > number || number - tenth->number >= RSP_SLO_TENTH_CNT)
			continue;
		verdict.cnt += tenth->cnt;
		verdict.over_cnt += tenth->over_cnt;
		for (size_t k = 0; k < RSP_SLO_BUCKET_CNT; k++)
			buckets[k] += tenth->buckets[k];
		if (rsp_slo_case_ns(&tenth->worst) > rsp_slo_case_ns(&verdict.worst))
			verdict.worst = tenth->worst;
	}
	rank = rank_of(verdict.cnt, quantile_ppm);
	/* At most cnt - rank latencies can be above the quantile. */
	verdict.breached = verdict.over_cnt > verdict.cnt - rank;
	verdict.least_ns = least_of(buckets, rank);
	if (verdict.breached && verdict.least_ns < threshold_ns)
		verdict.least_ns = threshold_ns;
	*ret = verdict;
}
