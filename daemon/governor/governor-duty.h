/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost and budget -> when to record and when to pause. An account: time adds what the budget allows
 * to it, recording takes what it costs from it. A slice of recording ends when the account is
 * empty; the next one begins when the account is good for a whole slice. So the budget is kept
 * whatever recording costs, as long as a pause costs less than the budget. Pure: knows no kernel
 * and no clock.
 */
#ifndef RSP_DAEMON_GOVERNOR_DUTY_H
#define RSP_DAEMON_GOVERNOR_DUTY_H

#include <linux/types.h>
#include <stdbool.h>

struct rsp_duty {
	__u64 now_ns;	  /* of the last look; 0: none yet */
	__u64 resumed_ns; /* when the present or the last slice began */
	__u64 changed_ns; /* when the present slice or pause began */
	double saved;	  /* the account, in ppm * ns; below 0: overdrawn */
	bool paused;
	bool watches;	    /* pauses record the ends of long waits */
	double watch_ppm;   /* what that costs in pauses, on average */
	__u64 unwatched_ns; /* until then they do not */
};

struct rsp_duty_cost {
	__u64 now_ns;
	__u32 budget_ppm; /* 0: none, never pauses */
	__u32 spent_ppm;  /* since the last look */
	__u32 rate_ppm;	  /* of recording without pauses; 0: not yet known */
	__u32 watch_ppm;  /* of spent_ppm: for the ends of long waits, in a pause */
	__u32 time_ppm;	  /* how much of the time is recorded at most; 1000000: all */
	bool may_pause;	  /* else what is left out suffices: only the account is kept */
};

/* Returns whether recording is to pause from now on. */
bool rsp_duty_decide(struct rsp_duty *duty, const struct rsp_duty_cost *cost);

/* Whether pauses do not suffice: what is spent while recording is paused is above the budget. */
bool rsp_duty_is_overdrawn(const struct rsp_duty *duty, __u32 budget_ppm);

#endif
