/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the kernel stack of the current task. The program walks the stack if possible (walk.bpf.h);
 * otherwise the kernel unwinds the stack.
 */
#ifndef RSP_KSTACK_BPF_H
#define RSP_KSTACK_BPF_H

#include "bpf/walk.bpf.h"

#define RSP_WALK_CHECK_INTERVAL 256

/*
 * Number of frames that are skipped: those of the BPF program and of bpf_trace_run(), whose return
 * address differs while the kernel measures the run times of programs.
 */
#define RSP_OWN_FRAMES 2

/*
 * A walk starts with this value in place of a return address, so the value must not be a kernel
 * address.
 */
enum rsp_stack_site {
	RSP_SITE_SWITCH = 1,
	RSP_SITE_WAKING,
	RSP_SITE_WAKEUP_NEW,
	RSP_SITE_WAKING_PAUSED
};

/*
 * Returns the id of the current task's kernel stack, or 0. The stack extends from ctx to the
 * registers saved on entry to the kernel. call: the task's system call, or another value that
 * differs between the places at which the stack is taken.
 */
static __always_inline __u64 kernel_stack(void *ctx, struct rsp_cpu *cpu, struct task_struct *task,
					  __u64 call, __u32 site)
{
	__u64 from = address_of(ctx), to = regs_address(task);
	__u64 key = mix(blend(rsp_secret, task->pid, call), site);
	struct rsp_stack_stats *stats = stack_stats();
	__u64 id = 0, unwound;
	__u32 frame_cnt = 0;
	bool may_walk, sent;

	if (!stats)
		return 0;
	may_walk = rsp_trust_may_walk(&cpu->trust);
	if (may_walk)
		id = known_kernel_stack(key, from, to);
	sent = id;
	if (may_walk && !id) {
		id = rsp_walk_kernel(site, from, to, key);
		sent = id && was_sent(id);
	}
	if (sent && ++stats->kernel_walked_cnt % RSP_WALK_CHECK_INTERVAL)
		return id;
	unwound = unwind_kernel(ctx, RSP_SCRATCH_SCHED, RSP_OWN_FRAMES, &frame_cnt);
	if (id) {
		stats->kernel_checked_cnt++;
		stats->kernel_wrong_cnt += unwound != id;
		rsp_trust_check(&cpu->trust, unwound != id);
	} else {
		stats->kernel_unwound_cnt++;
	}
	if (unwound != id && may_walk) {
		forget_kernel_stack(key);
		rsp_learn_kernel(site, from, to, frame_cnt, unwound);
	}
	return unwound;
}

#endif
