/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports breaches of latency limits as they occur. The BPF programs measure latencies and compare
 * them with the limits (rsp/slo.h, bpf/slo.bpf.c). This module configures the tasks to measure,
 * evaluates quantiles and cooldowns, and reads histograms.
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
	pid_t tgid, tid;		  /* the slow process and thread; 0: unknown (PSI) */
	__u64 start_ns, end_ns;		  /* PSI: the span of the stall */
	/* the excessive value: end_ns - start_ns, lower bound of the quantile, or the stall time */
	__u64 value_ns;
	/* quantile: number of latencies within over_ns, and number above the limit */
	__u64 cnt, over_cnt;
};

/*
 * Called only from rsp_slos_poll() and rsp_slos_trigger(). rsp_slos_poll() calls this function for
 * each SLO at most once per cooldown.
 */
typedef void (*rsp_slo_breach_fn)(const struct rsp_slo_breach *breach, void *userdata);

/* The state of one SLO, for status and metrics. */
struct rsp_slo_state {
	const struct rsp_slo_config *config;
	bool measured;
	char why[160];	/* if not measured: the reason; "": no such process exists */
	__u64 cnt;	/* number of latencies; PSI: 0 */
	__u64 over_cnt; /* number of latencies above the threshold */
	/* latencies that were not measured, because the table of starts was full */
	__u64 unmeasured_cnt;
	/* latencies above the threshold that were not reported, because the ring was full */
	__u64 lost_cnt;
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
	__u64 breach_cnt; /* breaches that were reported */
	__u64 suppressed_cnt;
	__u64 last_breach_ns; /* 0: never */
	__u64 cooldown_until_ns;
};

/* bpf must be loaded and attached, and must outlive *ret. Returns 0 or -errno. */
int rsp_slos_new(struct rsp_bpf *bpf, rsp_slo_breach_fn on_breach, void *userdata,
		 struct rsp_slos **ret);
struct rsp_slos *rsp_slos_free(struct rsp_slos *s);
/* Sets the bus for requests to systemd about units; see rsp_jobs_set_bus(). */
void rsp_slos_set_bus(struct rsp_slos *s, const struct rsp_bus_connection *bus);

/*
 * Replaces the SLOs by v, which must stay valid until the next call or rsp_slos_free(). An SLO with
 * the same name and meaning keeps its counts and its cooldown. If an SLO cannot be measured now,
 * later polls try again. Returns 0; -errno: nothing has changed.
 */
int rsp_slos_configure(struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt);

/*
 * Stops all measurements until rsp_slos_restart(), because recording is paused. The caller must not
 * call rsp_slos_poll() in the meantime.
 */
void rsp_slos_halt(struct rsp_slos *slos);
/* Restarts all measurements with counts of 0, so that no latency contains the pause. */
int rsp_slos_restart(struct rsp_slos *slos);

/* Call it ten times a second. */
void rsp_slos_poll(struct rsp_slos *s, __u64 now_ns);

/*
 * Reports a breach although no breach was measured. Ignores the cooldown. Returns 0; -ENOENT: there
 * is no such SLO.
 */
int rsp_slos_trigger(struct rsp_slos *s, const char *name, __u64 now_ns);

/* Writes at most RSP_SLO_MAX states in order of configuration. Returns their number. */
size_t rsp_slos_get(struct rsp_slos *s, struct rsp_slo_state *ret);

__u64 rsp_slo_bucket_limit_ns(size_t bucket);

#endif
