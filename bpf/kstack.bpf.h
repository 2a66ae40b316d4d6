/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel stack where a scheduler program is: walked if it can be, else unwound. */
#ifndef RSP_KSTACK_BPF_H
#define RSP_KSTACK_BPF_H

#include "rsp.bpf.h"

/* One in so many walked stacks is unwound as well. */
#define RSP_WALK_CHECK_INTERVAL 256

/* The program's own and that of bpf_trace_run(), which differs while the kernel measures programs.
 */
#define RSP_OWN_FRAMES 2

/* Where a stack is taken. Never a kernel address. */
enum rsp_stack_site { RSP_SITE_SWITCH = 1, RSP_SITE_WAKING, RSP_SITE_WAKEUP_NEW };

/*
 * The id of the kernel stack of that site whose memory lies from one address to another, 0: it has
 * to be unwound. Remembers the memory for rsp_learn_kernel().
 */
__u64 rsp_walk_kernel(__u32 site, __u64 from, __u64 to);

/* The frames of that stack, as unwound into the scratch memory of level; its id. */
int rsp_learn_kernel(__u32 site, __u32 level, __u32 frame_cnt, __u64 id);

/*
 * ctx lies on the stack, since the tracepoint has put the arguments there; the registers saved on
 * entering the kernel are its end.
 */
static __always_inline __u64 kernel_stack(void *ctx, struct rsp_cpu *cpu, __u32 level, __u32 site)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 from = address_of(ctx), to = address_of((void *)bpf_task_pt_regs(task));
	struct rsp_stack_stats *stats = stack_stats();
	__u64 id, unwound;
	__u32 frame_cnt = 0;
	bool may_walk;

	if (!stats)
		return 0;
	may_walk = rsp_trust_may_walk(&cpu->trust);
	id = may_walk ? rsp_walk_kernel(site, from, to) : 0;
	if (id && was_sent(id) && ++stats->kernel_walked_cnt % RSP_WALK_CHECK_INTERVAL)
		return id;
	unwound = unwind_kernel(ctx, level, RSP_OWN_FRAMES, &frame_cnt);
	if (id) {
		stats->kernel_checked_cnt++;
		stats->kernel_wrong_cnt += unwound != id;
		rsp_trust_check(&cpu->trust, unwound != id);
	} else {
		stats->kernel_unwound_cnt++;
	}
	if (unwound != id && may_walk)
		rsp_learn_kernel(site, level, frame_cnt, unwound);
	return unwound;
}

#endif
