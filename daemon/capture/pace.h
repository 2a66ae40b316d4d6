/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides from the lengths of runs whether a CPU needs few samples or many. A run (a time for which
 * one task has the CPU) can only be explained if it has a sample, so short runs need a high rate.
 * If tasks run for long, or almost nothing runs, a low rate suffices.
 */
#ifndef RSP_DAEMON_PACE_H
#define RSP_DAEMON_PACE_H

#include <linux/types.h>
#include <stdbool.h>

/* Initially all zeroes. */
struct rsp_pace {
	__u64 looked_ns;
	__u64 busy_ns;	   /* time of the last check that found many short runs */
	__u64 switched_ns; /* time of the last switch */
	__u64 run_ns;	   /* run time of tasks since the last check, without the idle task */
	__u64 run_cnt;
};

/* was_idle: the CPU was idle before the switch. */
void rsp_pace_switch(struct rsp_pace *pace, __u64 ts_ns, bool was_idle);

/* Drops the counted runs, and treats the CPU as busy at now_ns. */
void rsp_pace_restart(struct rsp_pace *pace, __u64 now_ns);

/*
 * Returns whether the CPU needs few samples: for a second, its runs were long on average, or it was
 * almost idle.
 */
bool rsp_pace_is_calm(struct rsp_pace *pace, __u64 now_ns);

#endif
