/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores, for each thread, the kernel's count of its context switches at the beginning of a pause.
 * A thread whose count is unchanged has not left a CPU since then.
 */
#ifndef RSP_MARK_BPF_H
#define RSP_MARK_BPF_H

#include "bpf/rsp.bpf.h"

/*
 * Number of slots, direct-mapped by tid. If two threads share a slot, the second thread overwrites
 * it, and the first thread counts as having switched.
 */
#define RSP_MARK_SLOTS (1 << 15)

/*
 * Words of a slot in rsp_marks: the thread's start time, which distinguishes threads with the same
 * tid, and its number of switches.
 */
enum { RSP_MARK_BIRTH, RSP_MARK_SWITCHES, RSP_MARK_WORDS };

extern __u64 rsp_marks[RSP_MARK_SLOTS][RSP_MARK_WORDS];

static __always_inline __u64 *mark_of(struct task_struct *task)
{
	return rsp_marks[task->pid & (RSP_MARK_SLOTS - 1)];
}

static __always_inline __u64 switches_of(struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

static __always_inline bool is_same(struct task_struct *task)
{
	__u64 *mark = mark_of(task);

	return mark[RSP_MARK_BIRTH] == task->start_time &&
	       mark[RSP_MARK_SWITCHES] == switches_of(task);
}

/*
 * Since Linux 6.12, a task that blocks may stay on its run queue for a while, with sched_delayed
 * set.
 */
struct sched_entity___delayed {
	unsigned char sched_delayed;
} __attribute__((preserve_access_index));

static __always_inline bool is_queued(struct task_struct *task)
{
	struct sched_entity___delayed *se = (void *)&task->se;

	if (bpf_core_field_exists(se->sched_delayed) && BPF_CORE_READ(se, sched_delayed))
		return false;
	return BPF_CORE_READ_BITFIELD(task, on_rq);
}

#endif
