/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes ACCOUNT records of the CPU times that the kernel has accounted to a thread. */
#ifndef RSP_ACCOUNT_BPF_H
#define RSP_ACCOUNT_BPF_H

#include "rsp.bpf.h"

static __always_inline void fill_account(struct rsp_ev_account *rec, struct task_struct *task)
{
	rec->tid = task->pid;
	rec->tgid = task->tgid;
	rec->user_ns = task->utime;
	rec->system_ns = task->stime;
}

/* Writes to the CPU's ring, since the control ring is reserved for births and deaths. */
static __always_inline void send_account(struct task_struct *task, __u16 reason)
{
	struct rsp_ev_account *rec = rsp_reserve(rsp_ev_account, RSP_EV_ACCOUNT, reason);

	if (!rec)
		return;
	fill_account(rec, task);
	rsp_submit(rec);
}

#endif
