/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long tasks keep a CPU -> whether few samples are enough there. A run is understood if it has
 * a sample, so short runs take many. Where tasks run for long, the same rate would only slow them
 * down; where next to nothing runs, it would only fill the window. Pure: the caller has the clock.
 */
#ifndef RSP_DAEMON_PACE_H
#define RSP_DAEMON_PACE_H

#include <linux/types.h>
#include <stdbool.h>

/* Of a CPU. Zero: nothing is known yet. */
struct rsp_pace {
	__u64 looked_ns;
	__u64 busy_ns;	   /* when it was last found to have many short runs */
	__u64 switched_ns; /* the last switch */
	__u64 run_ns;	   /* of tasks, since the last look; idle is none */
	__u64 run_cnt;
};

/* A switch of the CPU. was_idle: what ended was no task's run. */
void rsp_pace_switch(struct rsp_pace *pace, __u64 ts_ns, bool was_idle);

/* Whatever was seen before now does not count: as at the beginning. */
void rsp_pace_restart(struct rsp_pace *pace, __u64 now_ns);

/* Looks at the runs since the last time. True: for a second there were no short runs to speak of.
 */
bool rsp_pace_is_calm(struct rsp_pace *pace, __u64 now_ns);

#endif
