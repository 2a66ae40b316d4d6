/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost and budget -> what is to be left out: of NOTHING, WAKER_STACKS, HOT_STACKS and SLICES.
 * Stacks of tasks that switch rarely, and samples, cost least and answer most: so recording slices
 * of the time comes before leaving these out. Goes up once more is spent above the budget
 * than an average of some seconds hides; goes down when the step below would fit with a margin, for
 * a while. What the step below would cost is known from when it was left; that is forgotten in
 * time, since programs change, and then it is tried. Each try that fails makes the next one later,
 * unless the load was another by then. Pure: knows no kernel and no clock.
 */
#ifndef RSP_DAEMON_GOVERNOR_STEPS_H
#define RSP_DAEMON_GOVERNOR_STEPS_H

#include <stdbool.h>

#include "rsp/event.h"

struct rsp_steps {
	enum rsp_shed step;
	__u64 now_ns;		 /* of the last look; 0: none yet */
	__u64 since_ns;		 /* when it was taken */
	double over;		 /* what is spent above the budget since then, ppm * ns */
	__u64 fits_ns;		 /* since when the step below would have fitted; 0: it does not */
	__u64 up_ns, down_ns;	 /* when a step was taken last, either way; 0: never */
	__u64 down_load;	 /* then */
	unsigned int patience;	 /* waits are that many times as long as they are at least */
	struct rsp_steps_known { /* of each step when it was left upwards */
		__u64 at_ns;	 /* 0: never, or forgotten */
		__u64 record_ns; /* what the programs took for a record */
	} known[RSP_SHED_CNT];
};

struct rsp_steps_cost {
	__u64 now_ns;
	__u32 budget_ppm; /* 0: none, nothing is left out */
	/* Of the last two seconds, but only while the present step was taken and recording was not
	 * paused. */
	__u32 programs_ppm, daemon_ppm;
	__u32 spent_ppm; /* since the last look, whatever it was for */
	__u64 record_ns; /* what the programs take for a record at this step; 0: not yet known */
};

/*
 * What is to be left out from now on: the present step, one of its neighbours, or SLICES, where
 * nothing else would suffice.
 */
enum rsp_shed rsp_steps_decide(struct rsp_steps *s, const struct rsp_steps_cost *cost);

#endif
