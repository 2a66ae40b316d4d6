/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a runnable task is throttled, and by which cgroup. A cgroup is throttled if it
 * has used up its CPU quota (cpu.max, cpu.cfs_quota_us) of the current period.
 *
 * Before Linux 6.18, the kernel takes a cgroup's whole run queue off a CPU, together with all tasks
 * that are in it or are woken into it. Since 6.18, the kernel takes each task off the CPU
 * separately, when the task returns to user space. So a wakeup does not show that the task is
 * throttled.
 */
#ifndef RSP_QUOTA_BPF_H
#define RSP_QUOTA_BPF_H

#include "bpf/cgroup.bpf.h"

/* Kernels without CONFIG_CFS_BANDWIDTH lack these members. */
struct task_struct___throttled {
	bool throttled; /* since 6.18 */
} __attribute__((preserve_access_index));

struct cfs_rq___bandwidth {
	/* number of throttled groups on this CPU, among the group itself and its ancestors */
	int throttle_count;
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

#define REALTIME_PRIO_END 100 /* MAX_RT_PRIO: quotas do not apply to tasks with a lower prio */

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

/* Returns whether a task that has just left its CPU without going to sleep is throttled. */
static __always_inline bool was_throttled(struct task_struct *task)
{
	if (!has_part(RSP_PART_QUOTAS))
		return false;
	if (throttles_tasks())
		return ((struct task_struct___throttled *)task)->throttled;
	return run_queue_throttled(task);
}

/*
 * Returns whether a task that is about to be woken is throttled on the CPU on which it ran last,
 * because tasks usually wake up there. Since Linux 6.18, the result is always false.
 */
static __always_inline bool is_throttled_asleep(struct task_struct *task)
{
	return !throttles_tasks() && has_part(RSP_PART_QUOTAS) && run_queue_throttled(task);
}

/*
 * Returns the innermost cgroup that has used up its quota. If the quota was refilled meanwhile,
 * returns the task's own cgroup.
 */
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
