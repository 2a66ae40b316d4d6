/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes STOLEN records, with the time that the hypervisor took from the run of a task. With
 * CONFIG_PARAVIRT_TIME_ACCOUNTING, the kernel reads the hypervisor's clock whenever it updates the
 * clock of a run queue (update_rq_clock_task()). Without this option, the kernel reads it only at
 * ticks (steal_account_process_time()). The time stolen between two ticks then counts for the task
 * that is on the CPU at the second tick.
 */
#ifndef RSP_STOLEN_BPF_H
#define RSP_STOLEN_BPF_H

#include "bpf/runqueue.bpf.h"

struct rq___stolen {
	__u64 prev_steal_time;	  /* time stolen up to the last tick */
	__u64 prev_steal_time_rq; /* time stolen up to the last update of the clock */
} __attribute__((preserve_access_index));

static __always_inline bool knows_stolen(void)
{
	return has_part(RSP_PART_STOLEN) && has_run_queue_clock() &&
	       (bpf_core_field_exists(struct rq___stolen, prev_steal_time_rq) ||
		bpf_core_field_exists(struct rq___stolen, prev_steal_time));
}

static __always_inline __u64 stolen_from(struct rq___stolen *rq)
{
	return bpf_core_field_exists(struct rq___stolen, prev_steal_time_rq)
		       ? rq->prev_steal_time_rq
		       : rq->prev_steal_time;
}

/* Not inlined, because the function runs seldom. */
static __noinline int send_stolen(__u32 tid, __u64 stolen_ns, __u64 ts_ns)
{
	struct rsp_ev_stolen *rec = rsp_reserve_at(rsp_ev_stolen, RSP_EV_STOLEN, 0, ts_ns);

	if (!rec)
		return 0;
	rec->tid = tid;
	rec->pad = 0;
	rec->stolen_ns = stolen_ns;
	rsp_submit(rec);
	return 0;
}

/*
 * Time that was stolen while no programs were attached (before the start, or in a pause) belongs to
 * no recorded run, so it makes no record.
 */
static __always_inline void note_stolen(struct rsp_cpu *cpu, struct task_struct *task, __u64 ts_ns)
{
	__u64 total_ns, before_ns, attached_ns;

	if (!knows_stolen())
		return;
	before_ns = cpu->stolen.total_ns;
	attached_ns = rsp_resumed_ns + 1;
	total_ns = stolen_from((struct rq___stolen *)run_queue_of(task));
	if (total_ns == before_ns && cpu->stolen.attached_ns == attached_ns)
		return;
	cpu->stolen.total_ns = total_ns;
	if (cpu->stolen.attached_ns == attached_ns && task->pid && total_ns > before_ns)
		send_stolen(task->pid, total_ns - before_ns, ts_ns);
	cpu->stolen.attached_ns = attached_ns;
}

#endif
