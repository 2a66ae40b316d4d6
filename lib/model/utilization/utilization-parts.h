/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the files utilization*.c. Functions that return int return 0 or -ENOMEM. */
#ifndef RSP_LIB_UTILIZATION_PARTS_H
#define RSP_LIB_UTILIZATION_PARTS_H

#include "lib/model/utilization/utilization.h"

#define RSP_NO_TASK SIZE_MAX

struct rsp_using {
	const struct rsp_model *m;
	struct rsp_names *names;
	struct rsp_utilization *u; /* the result; tasks are sorted by tid and time */
};

/* utilization-tasks.c: makes the rows of tasks, with all time on CPUs in busy_ns. */
int rsp_use_tasks(struct rsp_using *x);
/* Returns the row of tid at ts_ns, or RSP_NO_TASK. */
size_t rsp_use_task_at(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns);
/* Returns the row of tid that ended with an exec at about ts_ns, or RSP_NO_TASK. */
size_t rsp_use_task_before_exec(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns);

/* Returns the task's time on that CPU, or NULL if the task did not run on it. */
struct rsp_use_place *rsp_use_place_of(struct rsp_use_task *task, __u32 cpu);
/* Returns the time on the CPU in user or kernel mode, without interrupts and stolen time. */
static inline __u64 rsp_use_place_left_ns(const struct rsp_use_place *place)
{
	return place->run_ns - place->irq_ns - place->softirq_ns - place->stolen_ns;
}

/*
 * utilization-irqs.c: makes the rows of interrupts, and subtracts their time from those of tasks
 * and CPUs.
 */
int rsp_use_irqs(struct rsp_using *x);
/* utilization-stolen.c: moves stolen time from the busy time of tasks to their stolen time. */
void rsp_use_stolen(struct rsp_using *x);
/* utilization-modes.c: divides the time that tasks ran into user and system time. */
int rsp_use_modes(struct rsp_using *x);
/* utilization-calls.c: adds the system calls to the rows of tasks. */
int rsp_use_calls(struct rsp_using *x);

/* Returns the length of the part of [from_ns, to_ns) that lies within the span. */
static inline __u64 rsp_use_clip(const struct rsp_utilization *u, __u64 from_ns, __u64 to_ns)
{
	from_ns = from_ns > u->since_ns ? from_ns : u->since_ns;
	to_ns = to_ns < u->until_ns ? to_ns : u->until_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

#endif
