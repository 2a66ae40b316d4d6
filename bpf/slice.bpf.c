/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of all threads before and after a pause of the recording. The kernel counts the
 * switches of each thread: a thread with the same count before and after the pause has been in one
 * state all the while. Two iterators: one notes the counts, the other compares them and writes SEED
 * records.
 */
#include "mark.bpf.h"
#include "seed.bpf.h"
#include "slo.bpf.h"

__u64 rsp_marks[RSP_MARK_SLOTS][RSP_MARK_WORDS] = {};

__u32 rsp_marking = false; /* by the daemon: the pause begins */

/*
 * At the beginning of a pause, before the programs are detached: notes the counts. A switch that
 * the programs still see makes the counts differ. At its end, before the programs are attached:
 * latencies of threads that have switched meanwhile are not measured.
 */
SEC("iter/task")
int on_pause(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u64 *mark;

	if (!task)
		return 0;
	if (!rsp_marking) {
		if (!is_same(task))
			rsp_slo_forget(task->pid);
		return 0;
	}
	mark = mark_of(task);
	mark[RSP_MARK_BIRTH] = task->start_time;
	mark[RSP_MARK_SWITCHES] = switches_of(task);
	return 0;
}

/* Without object and stacks: those of the record before the pause count, or none is needed. */
static __always_inline void write_state(struct seq_file *seq, struct task_struct *task, __u64 ts_ns,
					__u32 state, __u16 flags)
{
	struct rsp_ev_switch rec = {.prev_tid = task->pid, .prev_state = state, .syscall_nr = -1};

	if (is_kernel_thread(task))
		flags |= RSP_SW_KTHREAD;
	fill_header(&rec.hdr, RSP_EV_SWITCH, sizeof(rec), flags | RSP_SW_SEED, ts_ns);
	bpf_seq_write(seq, &rec, sizeof(rec));
}

/*
 * After the programs are attached again. The time is taken before the state is read: if that
 * changes meanwhile, there is a newer record. What runs on another CPU and is not the same as
 * before the pause is known by its next switch.
 */
SEC("iter/task")
int on_resume(struct bpf_iter__task *ctx)
{
	__u64 ts_ns = bpf_ktime_get_ns();
	struct task_struct *task = ctx->task;
	bool same, on_cpu, is_ready;

	if (!task || task->exit_state)
		return 0;
	same = is_same(task);
	on_cpu = BPF_CORE_READ_BITFIELD(task, on_cpu);
	is_ready = is_queued(task);
	if (!same)
		rsp_slo_forget(task->pid);
	if (on_cpu && same)
		write_state(ctx->meta->seq, task, ts_ns, 0, RSP_SW_SAME);
	else if (is_ready && !on_cpu)
		write_state(ctx->meta->seq, task, ts_ns, 0, RSP_SW_PREEMPTED);
	else if (!is_ready && !on_cpu && same)
		write_state(ctx->meta->seq, task, ts_ns, state_of(task), RSP_SW_SAME);
	else if (!is_ready && !on_cpu)
		write_seed(ctx->meta->seq, task, ts_ns, 0);
	return 0;
}
