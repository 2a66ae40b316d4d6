/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the run queue of a task, and the clocks in it. */
#ifndef RSP_RUNQUEUE_BPF_H
#define RSP_RUNQUEUE_BPF_H

#include "bpf/rsp.bpf.h"

/* The members cfs_rq and rq exist only with CONFIG_FAIR_GROUP_SCHED. */
struct rq___clock {
	__u64 clock, clock_task;
} __attribute__((preserve_access_index));

struct cfs_rq___clock {
	struct rq___clock *rq;
} __attribute__((preserve_access_index));

struct sched_entity___clock {
	__u64 exec_start;
	struct cfs_rq___clock *cfs_rq;
} __attribute__((preserve_access_index));

struct task_struct___clock {
	struct sched_entity___clock se;
} __attribute__((preserve_access_index));

static __always_inline bool has_run_queue_clock(void)
{
	return bpf_core_field_exists(struct rq___clock, clock) &&
	       bpf_core_field_exists(struct rq___clock, clock_task) &&
	       bpf_core_field_exists(struct cfs_rq___clock, rq) &&
	       bpf_core_field_exists(struct sched_entity___clock, exec_start) &&
	       bpf_core_field_exists(struct sched_entity___clock, cfs_rq);
}

static __always_inline struct rq___clock *run_queue_of(struct task_struct *task)
{
	return ((struct task_struct___clock *)task)->se.cfs_rq->rq;
}

#endif
