/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the state of each thread after a pause of the recording. If the kernel's count of a
 * thread's switches is the same before and after the pause, the thread is still in the same run or
 * wait, or was woken and has not left a CPU since.
 */
#include "bpf/mark.bpf.h"
#include "bpf/seed.bpf.h"
#include "bpf/slo.bpf.h"

__u64 rsp_marks[RSP_MARK_SLOTS][RSP_MARK_WORDS] = {};

/* Set by the daemon before it runs on_pause. true: a pause begins; false: it ends. */
__u32 rsp_marking = false;

/*
 * Runs at the beginning of a pause, before the programs are detached. If a thread switches after
 * that, its count differs, even if the switch is still recorded.
 *
 * Runs again at the end of the pause, before the programs are attached, and drops latencies of
 * which the pause hid a part.
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

/*
 * Writes a SEED record without object and stacks. An older record contains those of a thread that
 * still sleeps. A runnable or running thread needs none.
 */
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
 * Runs after the programs are attached again. Reads the clock before the state: if the state
 * changes in between, a newer record contains the change. A thread that has switched in the pause
 * and is now running needs no record: its next switch shows that it was running.
 *
 * Also runs in a pause, before a snapshot. No newer record then contains a change, so the count is
 * compared both before and after the state is read. The older count is stored, so a change in
 * between is noticed at the end of the pause.
 */
SEC("iter/task")
int on_resume(struct bpf_iter__task *ctx)
{
	__u64 ts_ns = bpf_ktime_get_ns();
	struct task_struct *task = ctx->task;
	bool same, on_cpu, is_ready;
	__u64 switches, *mark;

	if (!task || task->exit_state)
		return 0;
	switches = switches_of(task);
	same = is_same(task);
	on_cpu = BPF_CORE_READ_BITFIELD(task, on_cpu);
	is_ready = is_queued(task);
	barrier();
	same = same && is_same(task);
	mark = mark_of(task);
	mark[RSP_MARK_BIRTH] = task->start_time;
	mark[RSP_MARK_SWITCHES] = switches;
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
