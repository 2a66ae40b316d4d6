/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes SWITCH records of task switches, and WAKING records of wakeups; in a pause, only of
 * wakeups that end long waits.
 */
#include "bpf/files.bpf.h"
#include "bpf/kstack.bpf.h"
#include "bpf/longwait.bpf.h"
#include "bpf/quota.bpf.h"
#include "bpf/slo-threads.bpf.h"
#include "bpf/stolen.bpf.h"
#include "bpf/unseen.bpf.h"
#include "bpf/ustack.bpf.h"
#include "bpf/wait.bpf.h"

/*
 * A task switch happens only outside of interrupts, except on PREEMPT_RT, where a thread can be
 * preempted in a softirq. The wakeups in the rest of this softirq are then attributed to the
 * thread.
 */
static __always_inline void leave_interrupts(struct rsp_cpu *cpu)
{
	__builtin_memset(cpu->level, 0, sizeof(cpu->level));
}

static __always_inline void stay_of(struct task_struct *prev, struct rsp_wait *ret)
{
	ret->flags = RSP_SW_PREEMPTED | (is_kernel_thread(prev) ? RSP_SW_KTHREAD : 0);
	if (was_throttled(prev)) {
		ret->flags |= RSP_SW_THROTTLED;
		ret->object = quota_object(RSP_SCRATCH_SCHED, prev);
	}
}

/*
 * A slot contains the number of switches of a tid in one span. If the recorder has to save CPU time
 * (enum rsp_shed), is_shed() leaves out the stacks of tasks that switch often. Tids that share a
 * slot are counted together.
 *
 * RSP_SHED_HOT_STACKS spares tasks with fewer than about a hundred switches per second.
 */
#define HOT_SLOTS   (1 << 14)
#define HOT_SHIFT   27 /* ns: 134 ms */
#define HOT_CNT_MAX 16
#define RARE_SPANS  8

struct heat {
	__u32 span;
	__u32 cnt;
};

static struct heat heats[HOT_SLOTS];

static __always_inline bool is_shed(__u32 tid, __u64 ts_ns)
{
	struct heat *heat = &heats[tid & (HOT_SLOTS - 1)];
	__u32 shed = rsp_shed, span = ts_ns >> HOT_SHIFT, rested;

	if (shed < RSP_SHED_HOT_STACKS)
		return false;
	rested = span - heat->span;
	if (rested) {
		heat->span = span;
		heat->cnt = 0;
	}
	return shed >= RSP_SHED_STACKS ? rested < RARE_SPANS : ++heat->cnt > HOT_CNT_MAX;
}

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rsp_words);
} rsp_stack_copy SEC(".maps");

/*
 * regs: the registers saved on entry to the kernel. Unwinds the stack only if it equals no known
 * stack (ustack.bpf.h).
 */
static __always_inline __u64 user_stack(struct task_struct *task, struct pt_regs *regs, __u64 ts_ns)
{
	struct rsp_stack_stats *stats = stack_stats();
	__u32 epoch = *(volatile __u64 *)&rsp_epoch, zero = 0;
	struct mm_struct *mm = untrusted(task)->mm;
	__u64 space, key, id = 0;
	struct rsp_place place;

	if (!has_part(RSP_PART_STACKS) || !mm || !stats)
		return 0;
	place = (struct rsp_place){regs->ip, regs->sp, regs->bp, regs->orig_ax, task->pid};
	if (place.call < 0 || BPF_CORE_READ_BITFIELD(task, in_execve))
		return rsp_user_stack(RSP_SCRATCH_SCHED, ts_ns);
	space = RSP_SPACE_OF(mm);
	key = repeat_key(space, &place);
	id = repeated(repeat_of(key), key, ts_ns);
	if (!id) {
		id = known_user_stack(known_key(space_of(mm, ts_ns), &place), &place,
				      bpf_map_lookup_elem(&rsp_stack_copy, &zero), ts_ns);
		if (!id)
			return rsp_user_stack(RSP_SCRATCH_SCHED, ts_ns);
		remember_repeat(key, id, epoch, ts_ns, stats);
	}
	stats->user_cnt[RSP_END_COMPLETE]++;
	stats->user_repeated_cnt++;
	return id;
}

#define TASK_INTERRUPTIBLE 0x0001
#define TASK_WAKING	   0x0200

/* true: sched_switch has a fourth argument, the state of prev */
const volatile bool rsp_has_prev_state = false;

/*
 * Returns the state in which prev leaves the CPU; 0: prev stays runnable. The state in task_struct
 * takes precedence: up to Linux 6.13, the fourth argument does not show that a signal prevented
 * prev from sleeping. But if another CPU has begun to wake prev, this state is TASK_WAKING.
 */
static __always_inline __u32 state_at_switch(const unsigned long long *ctx, bool preempt,
					     struct task_struct *prev)
{
	__u32 state = preempt ? 0 : state_of(prev);

	if (state != TASK_WAKING)
		return state;
	return rsp_has_prev_state ? (__u32)ctx[3] : TASK_INTERRUPTIBLE;
}

SEC("tp_btf/sched_switch")
int RSP_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 ts_ns = bpf_ktime_get_ns();
	struct rsp_cpu *cpu = this_cpu();
	__u32 state = state_at_switch(ctx, preempt, prev);
	struct rsp_wait wait = {.syscall_nr = -1, .fd = -1};
	struct pt_regs *regs = regs_of(prev);
	__u64 kstack = 0, ustack = 0;
	struct rsp_ev_switch *rec;

	if (!cpu)
		return 0;
	leave_interrupts(cpu);
	if (!rsp_knows_offset)
		compare_clocks(prev, ts_ns);
	if (rsp_names_owed)
		rsp_record_pending_name(!state);
	note_stolen(cpu, prev, ts_ns);
	if (prev->pid) {
		if (state)
			wait_of(prev, regs, true, &wait);
		else
			stay_of(prev, &wait);
		if (state && has_part(RSP_PART_SYSCALLS) && BPF_CORE_READ_BITFIELD(prev, in_iowait))
			wait.flags |= RSP_SW_IOWAIT;
		if (wait.fd >= 0)
			wait.object = fd_object_inlined(RSP_SCRATCH_SCHED, prev, wait.fd);
		if (!is_shed(prev->pid, ts_ns)) {
			kstack = kernel_stack(ctx, cpu, prev, wait.syscall_nr, RSP_SITE_SWITCH);
			if (!(wait.flags & RSP_SW_KTHREAD))
				ustack = user_stack(prev, regs, ts_ns);
		}
	}
	if (rsp_slo_active.threads && has_part(RSP_PART_LIMITS))
		slo_switched(prev, next, state, &wait, ts_ns);
	rec = rsp_reserve_at(rsp_ev_switch, RSP_EV_SWITCH, wait.flags, ts_ns);
	if (!rec)
		return 0;
	rec->prev_tid = prev->pid;
	rec->next_tid = next->pid;
	rec->prev_state = state ? state | freezer_state(prev) : 0;
	rec->syscall_nr = wait.syscall_nr;
	rec->object = wait.object;
	rec->kstack = kstack;
	rec->ustack = ustack;
	rsp_submit(rec);
	return 0;
}

/*
 * Returns a value that distinguishes the places at which the waker's stack is taken: its system
 * call if it is known, else the context.
 */
static __always_inline __u64 place_of_waker(struct pt_regs *regs, __u32 context)
{
	if (context != RSP_WAKE_TASK || !has_part(RSP_PART_SYSCALLS))
		return ~(__u64)context;
	return regs->orig_ax;
}

static __always_inline int waking(void *ctx, struct task_struct *wakee, __u64 ts_ns, __u16 flags,
				  __u32 site, __u32 slept)
{
	struct task_struct *waker = bpf_get_current_task_btf();
	struct rsp_cpu *cpu = this_cpu();
	__u64 kstack = 0, ustack = 0, cause;
	struct rsp_ev_waking *rec;
	struct pt_regs *regs;
	__u32 context;

	/*
	 * A task wakes itself if it has begun to go to sleep and then stays awake. The kernel
	 * reports this wakeup with interrupts enabled: an interrupt could arrive while this program
	 * still runs, and the kernel would skip the program for wakeups in this interrupt.
	 */
	if (!cpu || wakee == waker)
		return 0;
	if (!(flags & RSP_WK_PAUSED) && rsp_slo_active.threads && has_part(RSP_PART_LIMITS))
		slo_woken(wakee, ts_ns);
	regs = regs_of(waker);
	context = flags & RSP_WK_PAUSED ? paused_context(cpu, ctx, waker, regs, &cause)
					: wake_context(cpu, &cause);
	if (flags & RSP_WK_PAUSED && context == RSP_WAKE_UNSEEN)
		context = unseen_context(wakee, serves_vector(cpu, LOCAL_TIMER_VECTOR), regs->di,
					 &cause);
	if (rsp_shed < RSP_SHED_WAKER_STACKS) {
		if (waker->pid || context != RSP_WAKE_TASK)
			kstack = kernel_stack(ctx, cpu, waker, place_of_waker(regs, context), site);
		if (context == RSP_WAKE_TASK && waker->pid && !is_kernel_thread(waker))
			ustack = user_stack(waker, regs, ts_ns);
	}
	if (is_throttled_asleep(wakee))
		flags |= RSP_WK_THROTTLED;
	rec = rsp_reserve_at(rsp_ev_waking, RSP_EV_WAKING, flags, ts_ns);
	if (!rec)
		return 0;
	rec->waker_tid = waker->pid;
	rec->wakee_tid = wakee->pid;
	rec->context = context;
	rec->slept_us = slept;
	rec->cause = cause;
	rec->kstack = kstack;
	rec->ustack = ustack;
	rsp_submit(rec);
	return 0;
}

SEC("tp_btf/sched_waking")
int RSP_PROG(on_waking, struct task_struct *wakee)
{
	__u64 ts_ns = bpf_ktime_get_ns();

	return waking(ctx, wakee, ts_ns, 0, RSP_SITE_WAKING, slept_since_pause_us(wakee, ts_ns));
}

SEC("tp_btf/sched_wakeup_new")
int RSP_PROG(on_wakeup_new, struct task_struct *wakee)
{
	return waking(ctx, wakee, bpf_ktime_get_ns(), RSP_WK_NEW, RSP_SITE_WAKEUP_NEW, 0);
}

/* --- in a pause ------------------------------------------------------------------------------- */

__u64 rsp_run_queue_offset_ns = 0;
__u64 rsp_resumed_ns = 0;
__u32 rsp_knows_offset = false;

static __always_inline void waking_paused(void *ctx, struct task_struct *wakee,
					  struct rsp_runs *runs)
{
	__u64 ts_ns = bpf_ktime_get_ns();
	__u32 slept = slept_us(slept_from(wakee), ts_ns);
	__u16 same = 0;

	if (is_same(wakee))
		same = RSP_WK_SAME;
	else
		send_wait(wakee, ts_ns);
	/*
	 * With this barrier, the verifier checks waking() once, instead of once per value of the
	 * flags.
	 */
	barrier_var(same);
	waking(ctx, wakee, ts_ns, RSP_WK_PAUSED | (same & RSP_WK_SAME), RSP_SITE_WAKING_PAUSED,
	       slept);
	runs->v[RSP_PROGRAM_on_waking_paused].ns += bpf_ktime_get_ns() - ts_ns;
}

/*
 * Attached only during pauses, when the other programs of this file are detached. Always counts its
 * runs, which cause most of the cost of a pause, but measures only the time of runs that find a
 * long wait.
 */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking_paused, struct task_struct *wakee)
{
	struct rsp_runs *runs;
	__u32 zero = 0;

	runs = bpf_map_lookup_elem(&rsp_runs, &zero);
	if (!runs)
		return 0;
	runs->v[RSP_PROGRAM_on_waking_paused].cnt++;
	if (!has_slept_long(wakee, bpf_get_current_task_btf()))
		return 0;
	if (!BPF_CORE_READ_BITFIELD(wakee, on_cpu) && !is_queued(wakee))
		waking_paused(ctx, wakee, runs);
	return 0;
}
