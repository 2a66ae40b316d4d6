/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes SEED records to the output of an iterator. A SEED record contains the current state of a
 * task: the system call in which the task is blocked, the object, and the kernel stack.
 */
#ifndef RSP_SEED_BPF_H
#define RSP_SEED_BPF_H

#include "bpf/wait.bpf.h"

/*
 * The user stack of another task cannot be taken: get_perf_callchain() supports user stacks only
 * for the current task.
 */
static __always_inline __u64 write_stack(struct seq_file *seq, struct task_struct *task)
{
	struct rsp_scratch *scratch = scratch_of(RSP_SCRATCH_ITER);
	__u64 id, size;
	long byte_cnt;

	if (!scratch)
		return 0;
	byte_cnt = bpf_get_task_stack(task, scratch->frames, sizeof(scratch->frames), 0);
	if (byte_cnt <= 0)
		return 0;
	id = rsp_kernel_stack_id(RSP_SCRATCH_ITER, byte_cnt);
	size = fill_kernel_stack(scratch, id, byte_cnt);
	if (size)
		bpf_seq_write(seq, &scratch->stack, size);
	return id;
}

/* flags: RSP_SW_* bits to set in addition to those that wait_of() returns. */
static __always_inline void write_seed(struct seq_file *seq, struct task_struct *task, __u64 ts_ns,
				       __u16 flags)
{
	struct rsp_ev_switch rec = {};
	struct rsp_wait wait;

	wait_of(task, (struct pt_regs *)bpf_task_pt_regs(task), false, &wait);
	if (wait.fd >= 0)
		wait.object = fd_object(RSP_SCRATCH_ITER, task, wait.fd);
	rec.kstack = write_stack(seq, task);
	fill_header(&rec.hdr, RSP_EV_SWITCH, sizeof(rec), wait.flags | flags | RSP_SW_SEED, ts_ns);
	rec.prev_tid = task->pid;
	rec.prev_state = state_of(task) | freezer_state(task);
	rec.syscall_nr = wait.syscall_nr;
	rec.object = wait.object;
	bpf_seq_write(seq, &rec, sizeof(rec));
}

#endif
