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
	__u64 cnt, over_cnt; /* quantile: number of latencies within over_ns; those too slow */
};

/* Called only from _poll and _trigger. _poll calls it at most once per cooldown of each SLO. */
typedef void (*rsp_slo_breach_fn)(const struct rsp_slo_breach *breach, void *userdata);

/* For status and metrics. */
struct rsp_slo_state {
	const struct rsp_slo_config *config;
	bool measured;	      /* the SLO is being measured */
	char why[160];	      /* if not measured: the reason; "": no such process exists */
	__u64 cnt;	      /* number of latencies since the SLO was configured; PSI: 0 */
	__u64 over_cnt;	      /* of cnt: above the threshold */
	__u64 unmeasured_cnt; /* latencies whose start found no room */
	__u64 lost_cnt; /* latencies above the threshold that were not reported for lack of room */
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
	__u64 breach_cnt;     /* reported */
	__u64 suppressed_cnt; /* not reported, because of the cooldown */
	__u64 last_breach_ns; /* 0: never */
	__u64 cooldown_until_ns;
};

/* bpf must be loaded and attached, and must outlive the result. 0 or -errno. */
int rsp_slos_new(struct rsp_bpf *bpf, rsp_slo_breach_fn on_breach, void *userdata,
		 struct rsp_slos **ret);
struct rsp_slos *rsp_slos_free(struct rsp_slos *s);
/* As rsp_jobs_set_bus(). */
void rsp_slos_set_bus(struct rsp_slos *s, const struct rsp_bus_connection *bus);

/*
 * Replaces the SLOs by v, which must stay valid until the next call or rsp_slos_free(). An SLO with
 * the same name and meaning keeps its counts and its cooldown. An SLO that cannot be measured now,
 * for example because its unit does not run, is tried again. 0; -errno: nothing has changed.
 */
int rsp_slos_configure(struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt);

/*
 * Stops all measurements until rsp_slos_restart(), because recording is paused. The caller does not
 * poll meanwhile.
 */
void rsp_slos_halt(struct rsp_slos *slos);
/* Restarts all measurements, with counts of 0, so that no latency contains the pause. */
int rsp_slos_restart(struct rsp_slos *slos);

/*
 * Reads the programs' results, and checks for units that came or went. Call it ten times a second.
 */
void rsp_slos_poll(struct rsp_slos *s, __u64 now_ns);

/*
 * Reports a breach of the last before_ns, although none was measured. Ignores the cooldown.
 * -ENOENT: there is no such SLO.
 */
int rsp_slos_trigger(struct rsp_slos *s, const char *name, __u64 now_ns);

/* Writes the states to ret in order of configuration. Returns their number, at most RSP_SLO_MAX. */
size_t rsp_slos_get(struct rsp_slos *s, struct rsp_slo_state *ret);

/* UINT64_MAX for the last bucket. */
__u64 rsp_slo_bucket_limit_ns(size_t bucket);

#endif
