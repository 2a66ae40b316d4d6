/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides by cost and budget which data the recorder leaves out. The decision is one of the steps
 * NOTHING, WAKER_STACKS, HOT_STACKS and SLICES (enum rsp_shed). Samples and the stacks of tasks
 * that switch rarely cost least and explain most, so no step leaves these out. The last step,
 * SLICES, records only parts of the time.
 *
 * The step goes up when the excess over the budget reaches the budget of some seconds. The step
 * goes down when the estimated cost of the next lower step has stayed within the budget for a
 * while. The estimate is the cost measured when that step was last used, and expires after some
 * time, because the load may have changed. Without an estimate, the cost of the current step is
 * used. After each failed try, the next try comes later.
 */
#ifndef RSP_DAEMON_GOVERNOR_STEPS_H
#define RSP_DAEMON_GOVERNOR_STEPS_H

#include <stdbool.h>

#include "rsp/event.h"

struct rsp_steps {
	enum rsp_shed step;
	__u64 now_ns;	/* time of the last decision; 0: none yet */
	__u64 since_ns; /* time at which this step began */
	double over;	/* excess of the cost over the budget, in ppm * ns */
	/* time since which the cost of the next lower step fits the budget */
	__u64 fits_ns;
	__u64 up_ns, down_ns; /* times of the last step up and of the last step down; 0: never */
	__u64 down_load;      /* load at the last step down */
	/* factor for the waiting time before a step down; failed steps down double it */
	unsigned int patience;
	/* by step: the cost at the last step up from this step */
	struct rsp_steps_known {
		__u64 at_ns; /* 0: unknown */
		__u64 record_ns;
	} known[RSP_SHED_CNT];
};

struct rsp_steps_cost {
	__u64 now_ns;
	__u32 budget_ppm; /* 0: no budget; nothing is left out */
	/* Average over the last two seconds, without pauses and without time at other steps. */
	__u32 programs_ppm, daemon_ppm;
	__u32 spent_ppm; /* all cost since the last decision, including pauses */
	__u64 record_ns; /* run time of the BPF programs per record at this step; 0: unknown */
};

enum rsp_shed rsp_steps_decide(struct rsp_steps *s, const struct rsp_steps_cost *cost);

#endif
