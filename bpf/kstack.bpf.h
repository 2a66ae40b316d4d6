/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel stack where a scheduler program is: walked if it can be, else unwound. */
#ifndef RSP_KSTACK_BPF_H
#define RSP_KSTACK_BPF_H

#include "walk.bpf.h"

/* One in so many walked stacks is unwound as well. */
#define RSP_WALK_CHECK_INTERVAL 256

/* The program's own and that of bpf_trace_run(), which differs while the kernel measures programs.
 */
#define RSP_OWN_FRAMES 2

/* Where a stack is taken. Never a kernel address. */
enum rsp_stack_site {
	RSP_SITE_SWITCH = 1,
	RSP_SITE_WAKING,
	RSP_SITE_WAKEUP_NEW,
	RSP_SITE_WAKING_PAUSED
};

/*
 * The stack of the current task. ctx lies on it, since the tracepoint has put the arguments there;
 * the registers saved on entering the kernel are its end. call: the number of the system call, or
 * what else tells the task's places apart.
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
