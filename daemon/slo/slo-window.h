/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies counted now and then -> whether a quantile of those within a span is above a limit. The
 * span slides in tenths: it ends in the present tenth and never reaches further back than the span
 * is long. Reads no clock and knows no rules.
 */
#ifndef RSP_DAEMON_SLO_WINDOW_H
#define RSP_DAEMON_SLO_WINDOW_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "rsp/slo.h"

#define RSP_SLO_TENTH_CNT 10

/* One latency. */
struct rsp_slo_case {
	pid_t tgid, tid;
	__u64 start_ns, end_ns; /* end 0: none */
};

struct rsp_slo_tenth {
	__u64 number; /* of those since the clock's beginning */
	__u64 cnt, over_cnt;
	struct rsp_slo_case worst;
	__u32 buckets[RSP_SLO_BUCKET_CNT];
};

struct rsp_slo_window {
	__u64 tenth_ns;
	struct rsp_slo_tenth tenths[RSP_SLO_TENTH_CNT];
};

/* Above the limit is the quantile iff more are than may be, by nearest rank. */
struct rsp_slo_verdict {
	bool breached;
	__u64 cnt, over_cnt;
	__u64 least_ns;		   /* the quantile is at least this */
	struct rsp_slo_case worst; /* as far as it was seen */
};

void rsp_slo_window_init(struct rsp_slo_window *w, __u64 span_ns);
/* What was counted since the last call. */
void rsp_slo_window_add(struct rsp_slo_window *w, __u64 now_ns, const struct rsp_slo_counts *more);
/* One that was above the limit; it is counted by itself. */
void rsp_slo_window_see(struct rsp_slo_window *w, const struct rsp_slo_case *seen);
void rsp_slo_window_judge(const struct rsp_slo_window *w, __u64 now_ns, __u32 quantile_ppm,
			  __u64 threshold_ns, struct rsp_slo_verdict *ret);

/* UINT64_MAX for the last. */
__u64 rsp_slo_bucket_limit_ns(size_t bucket);

static inline __u64 rsp_slo_case_ns(const struct rsp_slo_case *c)
{
	return c->end_ns - c->start_ns;
}

#endif
