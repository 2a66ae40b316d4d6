/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports breaches of latency limits as they occur. The kernel programs measure and compare
 * (rsp/slo.h, bpf/slo.bpf.c). This module configures the tasks to measure, evaluates quantiles and
 * cooldowns, and reads histograms. It takes no snapshots: the callback does.
 */
#ifndef RSP_DAEMON_SLO_H
#define RSP_DAEMON_SLO_H

#include <linux/types.h>

#include "daemon/config/config.h"

struct rsp_bpf;
struct rsp_bus_connection;
struct rsp_slos;

struct rsp_slo_breach {
	const struct rsp_slo_config *slo; /* valid during the call */
	pid_t tgid, tid;		  /* the slow process and thread; 0: none (PSI) */
	__u64 start_ns, end_ns;		  /* the slow request or wait; PSI: the span */
	/* the excessive value: end - start, lower bound of the quantile, or the stall */
	__u64 value_ns;
	__u64 cnt, over_cnt; /* quantile: number within over_ns, and how many were too slow */
};

/* Called at most once per cooldown of each SLO, only from _poll and _trigger. */
typedef void (*rsp_slo_breach_fn)(const struct rsp_slo_breach *breach, void *userdata);

/* For status and metrics. */
struct rsp_slo_state {
	const struct rsp_slo_config *config;
	bool measured;	      /* the SLO is being measured */
	char why[160];	      /* if not: the reason; "": no such process exists */
	__u64 cnt;	      /* number since it was configured; PSI: 0 */
	__u64 over_cnt;	      /* of cnt: above the threshold */
	__u64 unmeasured_cnt; /* latencies whose start found no room */
	__u64 lost_cnt;	      /* above the threshold, but not reported for lack of room */
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
	__u64 breach_cnt;     /* reported */
	__u64 suppressed_cnt; /* not reported, because of the cooldown */
	__u64 last_breach_ns; /* 0: never */
	__u64 cooldown_until_ns;
};

/* bpf: loaded and attached; must outlive it. 0 or -errno. */
int rsp_slos_new(struct rsp_bpf *bpf, rsp_slo_breach_fn on_breach, void *userdata,
		 struct rsp_slos **ret);
struct rsp_slos *rsp_slos_free(struct rsp_slos *s);
/* As rsp_jobs_set_bus(). */
void rsp_slos_set_bus(struct rsp_slos *s, const struct rsp_bus_connection *bus);

/*
 * Replaces the SLOs by v, which must outlive it or the next call. An SLO with the same name and
 * meaning keeps its counts and its cooldown. If an SLO cannot be measured now (its unit does not
 * run), it is tried again. 0; -errno: nothing has changed.
 */
int rsp_slos_configure(struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt);

/*
 * Called ten times a second: reads the programs' results, and checks for units that came or went.
 */
/*
 * Stops all measurements until rsp_slos_restart(), because recording is paused. The caller does not
 * poll meanwhile.
 */
void rsp_slos_halt(struct rsp_slos *slos);
/* Restarts all measurements, with counts of 0: a latency must not contain the pause. */
int rsp_slos_restart(struct rsp_slos *slos);

void rsp_slos_poll(struct rsp_slos *s, __u64 now_ns);

/*
 * Reports a breach of the last before_ns that was not measured, regardless of the cooldown.
 * -ENOENT: there is no such SLO.
 */
int rsp_slos_trigger(struct rsp_slos *s, const char *name, __u64 now_ns);

/* Returns states in order of configuration, and their number, at most RSP_SLO_MAX. */
size_t rsp_slos_get(struct rsp_slos *s, struct rsp_slo_state *ret);

/* UINT64_MAX for the last bucket. */
__u64 rsp_slo_bucket_limit_ns(size_t bucket);

#endif
