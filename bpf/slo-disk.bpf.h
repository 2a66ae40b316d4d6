/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures disk requests from their first event to their completion, for rules about the submitter.
 */
#ifndef RSP_SLO_DISK_BPF_H
#define RSP_SLO_DISK_BPF_H

#include "bpf/slo.bpf.h"

/*
 * The task at a request's first event is the submitter: a task may issue requests that other tasks
 * have queued.
 */
static __always_inline void slo_disk_begins(struct request *rq, bool is_insert)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 key = identity(rq), sector = BPF_CORE_READ(rq, __sector);
	struct slo_pending *pending = slo_find(key);
	__u32 rules;

	/*
	 * If the sector differs, the completion of an earlier request with the same struct request
	 * was missed.
	 */
	if (!is_insert && pending && pending->detail == sector)
		return;
	if (pending)
		pending->key = 0;
	rules = slo_matching(task, rsp_slo_active.disk, 0);
	if (!rules)
		return;
	pending = slo_begin(key, bpf_ktime_get_ns());
	if (!pending) {
		rsp_slo_miss(rules);
		return;
	}
	pending->detail = sector;
	pending->pid_tgid = slo_pid_tgid(task);
	pending->rules = rules;
}

/* A large request may complete in parts: the last part ends the measurement. */
static __always_inline void slo_disk_completes(struct request *rq, __u32 bytes)
{
	struct slo_pending *pending = slo_find(identity(rq));
	struct slo_pending ended;

	if (!pending || bytes < BPF_CORE_READ(rq, __data_len))
		return;
	ended = *pending;
	pending->key = 0;
	rsp_slo_note(ended.rules & rsp_slo_active.disk, ended.pid_tgid, ended.start_ns,
		     bpf_ktime_get_ns());
}

#endif
