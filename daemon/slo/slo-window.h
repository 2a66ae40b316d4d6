/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether a quantile of the latencies within a span is above a limit. */
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
	__u64 start_ns, end_ns; /* end_ns 0: no latency */
};

struct rsp_slo_tenth {
	__u64 number; /* number of the tenth, counted from time 0 of the clock */
	__u64 cnt, over_cnt;
	struct rsp_slo_case worst;
	__u32 buckets[RSP_SLO_BUCKET_CNT];
};

struct rsp_slo_window {
	__u64 tenth_ns;
	struct rsp_slo_tenth tenths[RSP_SLO_TENTH_CNT];
};

/* The result of rsp_slo_window_judge(). Quantiles are by nearest rank. */
struct rsp_slo_verdict {
	bool breached;
	__u64 cnt, over_cnt;
	__u64 least_ns;		   /* lower bound of the quantile */
	struct rsp_slo_case worst; /* the longest latency that rsp_slo_window_see() got */
};

void rsp_slo_window_init(struct rsp_slo_window *w, __u64 span_ns);
void rsp_slo_window_add(struct rsp_slo_window *w, __u64 now_ns, const struct rsp_slo_counts *more);
/* Adds a candidate for worst, but does not count it. */
void rsp_slo_window_see(struct rsp_slo_window *w, const struct rsp_slo_case *seen);
void rsp_slo_window_judge(const struct rsp_slo_window *w, __u64 now_ns, __u32 quantile_ppm,
			  __u64 threshold_ns, struct rsp_slo_verdict *ret);

/* Returns the upper limit of a bucket; UINT64_MAX for the last bucket. */
__u64 rsp_slo_bucket_limit_ns(size_t bucket);

static inline __u64 rsp_slo_case_ns(const struct rsp_slo_case *c)
{
	return c->end_ns - c->start_ns;
}

#endif
