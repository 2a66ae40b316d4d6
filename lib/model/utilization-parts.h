/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that make a utilization. All functions that return int: 0 or -ENOMEM. */
#ifndef RSP_LIB_UTILIZATION_PARTS_H
#define RSP_LIB_UTILIZATION_PARTS_H

#include "utilization.h"

#define RSP_NO_TASK SIZE_MAX

struct rsp_using {
	const struct rsp_model *m;
	struct rsp_names *names;
	struct rsp_utilization *u; /* the output; tasks are in order of tid and time */
};

/* utilization-tasks.c: makes the rows of tasks, without user, system and interrupt times. */
int rsp_use_tasks(struct rsp_using *x);
/* The row of tid at ts_ns, or RSP_NO_TASK. */
size_t rsp_use_task_at(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns);
/* The row of tid that ended by an exec at about ts_ns, or RSP_NO_TASK. */
size_t rsp_use_task_before_exec(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns);

/* utilization-irqs.c: interrupts, and the time that they took from tasks and CPUs. */
int rsp_use_irqs(struct rsp_using *x);
/* utilization-modes.c: divides the time that tasks ran into user and system time. */
int rsp_use_modes(struct rsp_using *x);
/* utilization-calls.c */
int rsp_use_calls(struct rsp_using *x);

/* The part of a time that lies within the span. */
static inline __u64 rsp_use_clip(const struct rsp_utilization *u, __u64 from_ns, __u64 to_ns)
{
	from_ns = from_ns > u->since_ns ? from_ns : u->since_ns;
	to_ns = to_ns < u->until_ns ? to_ns : u->until_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

#endif
