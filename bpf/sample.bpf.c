/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a SAMPLE record at each overflow of a perf event, unless the CPU is idle. The program may
 * run in an NMI.
 */
#include "bpf/stolen.bpf.h"

/* [CPU]: sampling period in µs. The daemon changes it while the programs run. */
__u32 rsp_sample_period_us[RSP_CPU_MAX] = {};

static __always_inline int sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct rsp_cpu *cpu = this_cpu();
	struct rsp_ev_sample *rec;
	__u64 kstack, ustack = 0;
	__u32 frame_cnt = 0;

	if (!task->pid || !cpu)
		return 0;
	note_stolen(cpu, task, bpf_ktime_get_ns());
	kstack = unwind_kernel(ctx, RSP_SCRATCH_SAMPLE, 0, &frame_cnt);
	if (!is_kernel_thread(task))
		ustack = rsp_user_stack(RSP_SCRATCH_SAMPLE, bpf_ktime_get_ns());
	rec = rsp_reserve(rsp_ev_sample, RSP_EV_SAMPLE, 0);
	if (!rec)
		return 0;
	rec->tid = task->pid;
	rec->period_us = rsp_sample_period_us[bpf_get_smp_processor_id() & (RSP_CPU_MAX - 1)];
	rec->kstack = kstack;
	rec->ustack = ustack;
	rsp_submit(rec);
	return 0;
}

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	__u64 begun_ns = begin_run();
	int ret = sample(ctx);

	end_run(RSP_PROGRAM_on_sample, begun_ns);
	return ret;
}
