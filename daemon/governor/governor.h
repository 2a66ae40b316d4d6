/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the cost of recording within a budget. Above the budget, the governor leaves out data step
 * by step, the least useful data first, and records it again when the budget allows. In the last
 * step, recording pauses as often as the budget requires. SHED records describe the data that was
 * left out.
 *
 * The cost includes summaries, but not snapshots: recording less would not lower their cost.
 */
#ifndef RSP_DAEMON_GOVERNOR_H
#define RSP_DAEMON_GOVERNOR_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/capture/capture.h"
#include "lib/snapshot/decode.h" /* rsp_shed_name() */
#include "rsp/cost.h"

struct rsp_bpf;
struct rsp_governor;

struct rsp_program_cost {
	const char *name;
	/*
	 * Estimates since the start, from the poll intervals in which the programs measured their
	 * run time.
	 */
	__u64 run_cnt;
	__u64 run_ns;
};

struct rsp_cost_stats {
	__u32 budget_ppm; /* share of the sum of all CPUs; 0: no budget */
	/* cost of BPF programs and daemon, over the last 2 s; if in_slices, over 20 s */
	__u32 cost_ppm;
	__u32 programs_ppm, daemon_ppm;
	/* CPU time of BPF programs and daemon since the start; the budget limits this time */
	__u64 spent_ns;
	bool in_slices; /* recording alternates between slices and pauses */
	__u64 paused_ns;
	__u64 daemon_cpu_ns; /* since the start, including children that have ended */
	enum rsp_shed shed;
	/* time at which the current step began; 0: recording leaves nothing out */
	__u64 shed_since_ns;
	__u64 shed_cnt;	   /* number of steps up since the start */
	bool above_budget; /* the cost is above the budget although the last step was taken */
	size_t program_cnt;
	struct rsp_program_cost programs[RSP_PROGRAM_CNT]; /* programs that ran, most time first */
};

/* Called when the step changes. */
typedef void (*rsp_governor_fn)(enum rsp_shed from, enum rsp_shed to,
				const struct rsp_cost_stats *stats, void *userdata);

/*
 * bpf must be loaded, and outlive the governor. If the step changes, it calls report, which may be
 * NULL. Returns 0 or -errno.
 */
int rsp_governor_new(struct rsp_bpf *bpf, __u32 budget_ppm, rsp_sink_fn sink,
		     rsp_governor_fn report, void *userdata, struct rsp_governor **ret);
struct rsp_governor *rsp_governor_free(struct rsp_governor *g);
/* time_ppm: maximum share of the time that is recorded. Initially 1000000: all of the time. */
void rsp_governor_set_budget(struct rsp_governor *g, __u32 budget_ppm, __u32 time_ppm);
/*
 * If the governor ignores the budget, it leaves nothing out, and charges no cost to the budget.
 * time_ppm stays in force. Call rsp_governor_poll() immediately before.
 */
void rsp_governor_ignore_budget(struct rsp_governor *g, bool ignores_budget);

/* The shorter interval is for slices, and for Time=. */
#define RSP_GOVERNOR_POLL_NS	   100000000ULL
#define RSP_GOVERNOR_SLICE_POLL_NS 25000000ULL

/*
 * Call it after each drain of the rings, at the interval of rsp_governor_poll_interval_ns(). Then
 * pause or resume as rsp_governor_wants_pause() returns.
 *
 * record_cnt: number of records since the start. guests_ns: CPU time that the daemon has spent on
 * guests (guests.h), which is not charged. was_paused: recording was paused since the last poll.
 */
void rsp_governor_poll(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns,
		       bool was_paused);

/*
 * Call it at the beginning and at the end of a pause that a user requested. The time in between
 * costs nothing.
 */
void rsp_governor_skip(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns);

bool rsp_governor_wants_pause(const struct rsp_governor *g);
bool rsp_governor_wants_long_waits(const struct rsp_governor *g);
__u64 rsp_governor_poll_interval_ns(const struct rsp_governor *g);

/* Charges CPU time that children of the recorder spend once per over_ns. */
void rsp_governor_charge(struct rsp_governor *g, __u64 ns, __u64 over_ns);

void rsp_governor_get(const struct rsp_governor *g, struct rsp_cost_stats *ret);

#endif
