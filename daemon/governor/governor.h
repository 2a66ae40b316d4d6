/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What recording costs, held against a budget. Above it something is left out, step by step, the
 * least missed first, and taken up again when there is room. In the last step recording pauses as
 * often as it takes to keep the budget. What is left out is told by records, too. The kernel's
 * calls of the programs are counted at what one was measured to take. Snapshots are not counted:
 * they cost what is asked, and leaving something out would not help.
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
	/* Since the start; estimated from the spans that were measured. */
	__u64 run_cnt;
	__u64 run_ns;
};

struct rsp_cost_stats {
	__u32 budget_ppm; /* of all CPUs together; 0: none */
	__u32 cost_ppm;	  /* of the last two seconds, or 20 in slices: programs and daemon */
	__u32 programs_ppm, daemon_ppm;
	__u64 spent_ns;	     /* programs and daemon, since the start: what the budget is about */
	bool in_slices;	     /* recording pauses now and then */
	__u64 paused_ns;     /* filled in by the caller: the sum of pauses since the start */
	__u64 daemon_cpu_ns; /* since the start, with those of its children that have ended */
	enum rsp_shed shed;
	__u64 shed_since_ns; /* when this step was taken; 0: nothing is shed */
	__u64 shed_cnt;	     /* how often a step was taken since the start */
	bool above_budget;   /* the last step was taken and the cost is above its budget still */
	size_t program_cnt;
	struct rsp_program_cost programs[RSP_PROGRAM_CNT]; /* that ran, most time first */
};

/* Told when the step changes. */
typedef void (*rsp_governor_fn)(enum rsp_shed from, enum rsp_shed to,
				const struct rsp_cost_stats *stats, void *userdata);

/*
 * bpf: loaded, outlives it. sink: gets SHED records, in _poll. told may be NULL. 0 or -errno.
 */
int rsp_governor_new(struct rsp_bpf *bpf, __u32 budget_ppm, rsp_sink_fn sink, rsp_governor_fn told,
		     void *userdata, struct rsp_governor **ret);
/* Whatever was left out is recorded again. */
struct rsp_governor *rsp_governor_free(struct rsp_governor *g);
/* time_ppm: how much of the time is recorded at most; 1000000 is all, and what it begins with. */
void rsp_governor_set_budget(struct rsp_governor *g, __u32 budget_ppm, __u32 time_ppm);

/* From one poll to the next, while nothing is to be watched closely, and while it is. */
#define RSP_GOVERNOR_POLL_NS	   100000000ULL
#define RSP_GOVERNOR_SLICE_POLL_NS 25000000ULL

/*
 * Ten times a second, when the rings are drained. record_cnt: how many records there were since the
 * start: by these the cost is told between the spans that are measured. guests_ns: CPU time that
 * the daemon spent so far on what clients want of it: it is bounded elsewhere (guests.h), and
 * recording less does not lower it. was_paused: recording was paused since the last poll: the
 * caller pauses and resumes as _wants_pause() says, if it can.
 */
void rsp_governor_poll(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns,
		       bool was_paused);

/* After a poll: whether recording is to pause until the next one, and when that is to be. */
bool rsp_governor_wants_pause(const struct rsp_governor *g);
/* Whether pauses are to record the ends of long waits. */
bool rsp_governor_wants_watch(const struct rsp_governor *g);
__u64 rsp_governor_poll_interval_ns(const struct rsp_governor *g);

void rsp_governor_get(const struct rsp_governor *g, struct rsp_cost_stats *ret);

#endif
