/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on latencies -> breaches, told as they occur. The kernel programs measure and compare
 * (rsp/slo.h, bpf/slo.bpf.c); here they are told whom to look at, quantiles and cooldowns are
 * minded, and histograms are read. Takes no snapshots: whoever is told does.
 */
#ifndef RSP_DAEMON_SLO_H
#define RSP_DAEMON_SLO_H

#include <linux/types.h>

#include "daemon/config/config.h"

struct rsp_bpf;
struct rsp_bus;
struct rsp_slos;

struct rsp_slo_breach {
	const struct rsp_slo_config *slo; /* valid during the call */
	pid_t tgid, tid;		  /* whose latency; 0: nobody's (PSI) */
	__u64 start_ns, end_ns; /* the very request or wait; PSI: the span that was looked at */
	__u64 value_ns; /* what passed the limit: end - start, the quantile's least, the stall */
	__u64 cnt, over_cnt; /* QUANTILE: observed within over_ns, and how many were too slow */
};

/* At most once per cooldown of each. From _poll and _trigger only. */
typedef void (*rsp_slo_breach_fn)(const struct rsp_slo_breach *breach, void *userdata);

/* For status and metrics. */
struct rsp_slo_state {
	const struct rsp_slo_config *config;
	bool measured;	      /* it is being measured */
	char why[160];	      /* if not: what is missing; "": just nobody there */
	__u64 cnt;	      /* observed since it was configured; PSI: none */
	__u64 over_cnt;	      /* of them above the threshold */
	__u64 unmeasured_cnt; /* of which the beginning could not be kept */
	__u64 lost_cnt;	      /* above the threshold, but there was no room to tell */
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
	__u64 breach_cnt;     /* told */
	__u64 suppressed_cnt; /* not told: cooldown */
	__u64 last_breach_ns; /* 0: never */
	__u64 cooldown_until_ns;
};

/* bpf: loaded and attached, outlives it. 0 or -errno. */
int rsp_slos_new(struct rsp_bpf *bpf, rsp_slo_breach_fn told, void *userdata,
		 struct rsp_slos **ret);
struct rsp_slos *rsp_slos_free(struct rsp_slos *s);
/* As rsp_jobs_set_bus(). */
void rsp_slos_set_bus(struct rsp_slos *s, const struct rsp_bus *bus);

/*
 * From now on these, which must outlive it or the next call. One that is there already by name and
 * means the same keeps its counts and its cooldown. What cannot be measured now (a unit that does
 * not run) is tried again. 0 or -errno; then nothing has changed.
 */
int rsp_slos_configure(struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt);

/* Ten times a second: reads what the programs found, looks for units that came or went. */
void rsp_slos_poll(struct rsp_slos *s, __u64 now_ns);

/* A breach that nobody measured, of the last before_ns: as if told, whatever the cooldown. -ENOENT
 */
int rsp_slos_trigger(struct rsp_slos *s, const char *name, __u64 now_ns);

/* States in order of configuration; returns how many, at most RSP_SLO_MAX. */
size_t rsp_slos_get(struct rsp_slos *s, struct rsp_slo_state *ret);

/* UINT64_MAX for the last. */
__u64 rsp_slo_bucket_limit_ns(size_t bucket);

#endif
