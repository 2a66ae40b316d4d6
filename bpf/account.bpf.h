/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes ACCOUNT records: the CPU times that the kernel has accounted to a thread. */
#ifndef RSP_ACCOUNT_BPF_H
#define RSP_ACCOUNT_BPF_H

#include "bpf/rsp.bpf.h"

/*
 * task->vtime exists only with CONFIG_VIRT_CPU_ACCOUNTING_GEN, and struct irqtime only with
 * CONFIG_IRQ_TIME_ACCOUNTING.
 */
enum vtime_state___rsp {
	VTIME_USER___rsp = 3,
};

struct vtime___rsp {
	__u64 starttime;
	enum vtime_state___rsp state;
	__u64 utime, stime;
} __attribute__((preserve_access_index));

struct task_struct___vtime {
	struct vtime___rsp vtime;
} __attribute__((preserve_access_index));

struct irqtime___rsp {
	__u64 total;
} __attribute__((preserve_access_index));

/*
 * On a CPU of nohz_full=, the kernel collects measured times in task->vtime, and adds them to utime
 * and stime when they exceed a tick. While the thread is in user mode, vtime lacks the current
 * stay, so the record is not marked as exact.
 */
static __always_inline void add_vtime(struct rsp_ev_account *rec, struct task_struct *task)
{
	struct task_struct___vtime *of = (void *)task;

	if (!bpf_core_field_exists(of->vtime) || !BPF_CORE_READ(of, vtime.starttime))
		return;
	rec->user_ns += BPF_CORE_READ(of, vtime.utime);
	rec->system_ns += BPF_CORE_READ(of, vtime.stime);
	if (BPF_CORE_READ(of, vtime.state) !=
	    bpf_core_enum_value(enum vtime_state___rsp, VTIME_USER___rsp))
		rec->hdr.flags |= RSP_ACCOUNT_EXACT;
}

static __always_inline void fill_account(struct rsp_ev_account *rec, struct task_struct *task)
{
	rec->tid = task->pid;
	rec->tgid = task->tgid;
	rec->user_ns = task->utime;
	rec->system_ns = task->stime;
	add_vtime(rec, task);
	if (bpf_core_type_exists(struct irqtime___rsp))
		rec->hdr.flags |= RSP_ACCOUNT_NO_IRQS;
}

/* Writes the record to the CPU's ring: the control ring contains only TASK and EXIT records. */
static __always_inline void send_account(struct task_struct *task, __u16 reason)
{
	struct rsp_ev_account *rec = rsp_reserve(rsp_ev_account, RSP_EV_ACCOUNT, reason);

	if (!rec)
		return;
	fill_account(rec, task);
	rsp_submit(rec);
}

#endif
