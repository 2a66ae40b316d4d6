/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides by cost and budget when to record and when to pause. The governor keeps an account: the
 * budget is added as time passes, and the cost of recording is subtracted. Recording ends when the
 * account is empty, and begins again when the account covers a slice (a time of recording between
 * two pauses) of the minimum length. If recording has overdrawn the account, half of the income
 * pays this debt, and the other half pays for slices.
 */
#ifndef RSP_DAEMON_GOVERNOR_DUTY_H
#define RSP_DAEMON_GOVERNOR_DUTY_H

#include <linux/types.h>
#include <stdbool.h>

struct rsp_duty {
	__u64 now_ns;	  /* time of the last decision; 0: none yet */
	__u64 resumed_ns; /* beginning of the current or the last slice */
	__u64 changed_ns; /* beginning of the current slice or pause */
	double saved;	  /* the account, in ppm * ns; negative: overdrawn */
	double debt;	  /* the unpaid overdrafts of earlier slices, in ppm * ns */
	bool paused;
	bool watches;	    /* pauses record the ends of long waits */
	double watch_saved; /* the account of recording the ends of long waits, in ppm * ns */
};

struct rsp_duty_cost {
	__u64 now_ns;
	__u32 budget_ppm; /* 0: no budget */
	__u32 spent_ppm;  /* cost since the last decision */
	__u32 rate_ppm;	  /* cost of recording without pauses; 0: unknown */
	__u32 watch_ppm;  /* the part of spent_ppm for the ends of long waits */
	__u32 time_ppm;	  /* maximum share of the time that is recorded; 1000000: all of the time */
	/* false: only keep the account, because leaving out stacks suffices (governor-steps.h) */
	bool may_pause;
};

bool rsp_duty_decide(struct rsp_duty *duty, const struct rsp_duty_cost *cost);

bool rsp_duty_is_overdrawn(const struct rsp_duty *duty, __u32 budget_ppm);

#endif
