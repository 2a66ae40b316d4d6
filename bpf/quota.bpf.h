/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that want to run and may not, since their cgroup's CPU quota (cpu.max, cpu.cfs_quota_us) is
 * used up until its next period -> whether, and which cgroup. Most tasks have no quota: the
 * questions asked at each switch and wakeup cost two loads at most, and which cgroup it is gets
 * looked up only for those that are out of it.
 *
 * Kernels throttle in two ways. Before 6.18 a group's whole run queue is taken off a CPU, with all
 * that is in it or is woken into it. From 6.18 on each task is taken off by itself when it is about
 * to return to user space, so what is woken runs until then and a wakeup says nothing of quotas.
 */
#ifndef RSP_QUOTA_BPF_H
#define RSP_QUOTA_BPF_H

#include "cgroup.bpf.h"

/* Not every kernel that RSP is built on or runs on has these: CONFIG_CFS_BANDWIDTH. */
struct task_struct___throttled {
	bool throttled; /* since 6.18 */
} __attribute__((preserve_access_index));

struct cfs_rq___bandwidth {
	int throttle_count; /* how many of the group and its ancestors are throttled on this CPU */
	int throttled;
	struct task_group *tg;
} __attribute__((preserve_access_index));

struct sched_entity___group {
	struct cfs_rq___bandwidth *cfs_rq;
	struct sched_entity___group *parent;
} __attribute__((preserve_access_index));

struct task_struct___group {
	struct sched_entity___group se;
} __attribute__((preserve_access_index));

#define REALTIME_PRIO_END 100 /* MAX_RT_PRIO: quotas are not for those below */

static __always_inline bool throttles_tasks(void)
{
	return bpf_core_field_exists(struct task_struct___throttled, throttled);
}

static __always_inline bool run_queue_throttled(struct task_struct *task)
{
	return bpf_core_field_exists(struct cfs_rq___bandwidth, throttle_count) &&
	       ((struct task_struct___group *)task)->se.cfs_rq->throttle_count > 0 &&
	       task->prio >= REALTIME_PRIO_END;
}

/* Of a task that has just been taken off its CPU and did not go to sleep. */
static __always_inline bool was_throttled(struct task_struct *task)
{
	if (!has_part(RSP_PART_QUOTAS))
		return false;
	if (throttles_tasks())
		return ((struct task_struct___throttled *)task)->throttled;
	return run_queue_throttled(task);
}

/* Of a task about to be woken: on the CPU it ran on last, where it mostly wakes. */
static __always_inline bool is_throttled_asleep(struct task_struct *task)
{
	return !throttles_tasks() && has_part(RSP_PART_QUOTAS) && run_queue_throttled(task);
}

/* The innermost group whose quota is used up; the task's own, should it have got some meanwhile. */
static __always_inline struct task_group *throttled_group(struct task_struct *task)
{
	struct task_struct___group *t = (void *)task;
	struct sched_entity___group *se = &t->se;

	for (int i = 0; i < CGROUP_DEPTH_MAX && se; i++) {
		struct cfs_rq___bandwidth *rq = BPF_CORE_READ(se, cfs_rq);

		if (BPF_CORE_READ_BITFIELD_PROBED(rq, throttled))
			return BPF_CORE_READ(rq, tg);
		se = BPF_CORE_READ(se, parent);
	}
	return BPF_CORE_READ(t, se.cfs_rq, tg);
}

static __always_inline __u64 quota_object(__u32 level, struct task_struct *task)
{
	struct task_group *group = throttled_group(task);

	return cgroup_object(level, BPF_CORE_READ(group, css.cgroup, kn));
}

#endif
