/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides from the lengths of runs whether a CPU needs few samples or many. A run is understood if
 * it has a sample, so short runs need a high rate. Where tasks run for long, that rate would only
 * slow them down; where next to nothing runs, it would only fill the window. Pure: the caller has
 * the clock.
 */
#ifndef RSP_DAEMON_PACE_H
#define RSP_DAEMON_PACE_H

#include <linux/types.h>
#include <stdbool.h>

/* The state of one CPU. All zeroes: nothing is known yet. */
struct rsp_pace {
	__u64 looked_ns;
	__u64 busy_ns;	   /* when it was last found to have many short runs */
	__u64 switched_ns; /* the last switch */
	__u64 run_ns;	   /* of tasks, since the last look; idle is none */
	__u64 run_cnt;
};

/* Tells of a switch on the CPU. was_idle: the CPU was idle before it. */
void rsp_pace_switch(struct rsp_pace *pace, __u64 ts_ns, bool was_idle);

/* Forgets everything before now, as at the beginning. */
void rsp_pace_restart(struct rsp_pace *pace, __u64 now_ns);

/* Looks at the runs since the last call. True: for a second there were next to no short runs. */
bool rsp_pace_is_calm(struct rsp_pace *pace, __u64 now_ns);

#endif
