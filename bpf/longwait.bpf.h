/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records long waits that end during a pause of the recording: how long the woken task has slept,
 * and on which object.
 */
#ifndef RSP_LONGWAIT_BPF_H
#define RSP_LONGWAIT_BPF_H

#include "bpf/mark.bpf.h"
#include "bpf/runqueue.bpf.h"
#include "bpf/typed.bpf.h"
#include "bpf/wait.bpf.h"
#include "bpf/walk.bpf.h"

/*
 * Minimum length of a recorded wait, in ns. If wakeups are very frequent, nearly all waits are
 * shorter.
 */
#define LONG_WAIT_NS 5000000

/* bpf_ktime_get_ns() minus the clock of the run queues, in nanoseconds; 0: not yet known. */
extern __u64 rsp_run_queue_offset_ns;
/* 1: the offset is up to date. The daemon resets it after each pause, since the clocks drift. */
extern __u32 rsp_knows_offset;

static __always_inline __u64 last_ran(struct task_struct *task)
{
	return ((struct task_struct___clock *)task)->se.exec_start;
}

/* Called at a switch: the kernel has just updated the clock of the run queue. */
static __always_inline void compare_clocks(struct task_struct *prev, __u64 ts_ns)
{
	if (has_run_queue_clock())
		rsp_run_queue_offset_ns = ts_ns - run_queue_of(untrusted(prev))->clock;
	rsp_knows_offset = true;
}

/*
 * Returns the time at which a sleeping task left its CPU. The result is too late by the time that
 * interrupts and the hypervisor have taken from this CPU since then. Calls no helper, since every
 * wakeup in a pause runs it.
 */
static __always_inline __u64 slept_from(struct task_struct *task)
{
	struct rq___clock *rq = run_queue_of(untrusted(task));

	return last_ran(task) + (rq->clock - rq->clock_task) + rsp_run_queue_offset_ns;
}

#define SLEPT_US_MAX 0xffffffffU

static __always_inline __u32 slept_us(__u64 from_ns, __u64 ts_ns)
{
	__u64 us = from_ns < ts_ns ? (ts_ns - from_ns) / 1000 : 0;

	return us < SLEPT_US_MAX ? us : SLEPT_US_MAX;
}

/*
 * Returns the length of the task's sleep in µs; 0: the sleep began after the last pause, or its
 * beginning is unknown.
 */
static __always_inline __u32 slept_since_pause_us(struct task_struct *task, __u64 ts_ns)
{
	__u64 from_ns;

	if (!has_run_queue_clock() || !rsp_resumed_ns || !rsp_run_queue_offset_ns ||
	    !last_ran(task))
		return 0;
	from_ns = slept_from(task);
	return from_ns < rsp_resumed_ns ? slept_us(from_ns, ts_ns) : 0;
}

/*
 * Returns the current time, or a slightly earlier time: on a busy CPU, the clock of the run queue
 * saves a call of bpf_ktime_get_ns(). On an idle CPU, that clock stands still.
 */
static __always_inline __u64 recent_ns(struct task_struct *current)
{
	if (!current->pid)
		return bpf_ktime_get_ns();
	return run_queue_of(untrusted(current))->clock + rsp_run_queue_offset_ns;
}

static __always_inline bool has_slept_long(struct task_struct *wakee, struct task_struct *current)
{
	if (!has_run_queue_clock() || !rsp_run_queue_offset_ns || !last_ran(wakee))
		return false;
	return (__s64)(recent_ns(current) - slept_from(wakee)) > LONG_WAIT_NS;
}

#define TASK_STACK_BYTES 16384

/*
 * Returns whether the current code runs in an interrupt. On x86, an interrupt of kernel code runs
 * on a separate stack, on which ctx then lies. An interrupt of user code runs on the task's stack,
 * while the task is in no system call. A page fault of user code looks the same and counts as an
 * interrupt.
 */
static __always_inline bool is_in_interrupt(void *ctx, struct task_struct *current,
					    struct pt_regs *regs)
{
	if (regs_address(current) - address_of(ctx) >= TASK_STACK_BYTES)
		return true;
	if (is_kernel_thread(current))
		return false;
	return !has_part(RSP_PART_SYSCALLS) || (__s64)regs->orig_ax < 0;
}

/* Like wake_context(), but for pauses, in which the state of softirqs and timers is stale. */
static __always_inline __u32 paused_context(struct rsp_cpu *cpu, void *ctx,
					    struct task_struct *current, struct pt_regs *regs,
					    __u64 *ret_cause)
{
	struct rsp_level *in = &cpu->level[RSP_LEVEL_HARD];

	*ret_cause = 0;
	if (!in->context && !is_in_interrupt(ctx, current, regs))
		return RSP_WAKE_TASK;
	if (in->special == RSP_WAKE_BLOCK) {
		*ret_cause = in->special_cause;
		return RSP_WAKE_BLOCK;
	}
	if (in->context != RSP_WAKE_HARDIRQ || in->special)
		return RSP_WAKE_UNSEEN;
	*ret_cause = in->cause;
	return RSP_WAKE_HARDIRQ;
}

/* --- SEED records of waits -------------------------------------------------------------------- */

static __always_inline __u64 sleeper_stack(struct task_struct *task)
{
	struct rsp_scratch *scratch = scratch_of(RSP_SCRATCH_SCHED);
	long byte_cnt;

	if (!scratch)
		return 0;
	byte_cnt = bpf_get_task_stack(task, scratch->frames, sizeof(scratch->frames), 0);
	return rsp_send_kernel_stack(RSP_SCRATCH_SCHED, byte_cnt);
}

/*
 * Writes a SEED record in place of a SWITCH record: the switch at the beginning of the wait lay in
 * the pause.
 */
static __always_inline void send_wait(struct task_struct *task, __u64 ts_ns)
{
	struct rsp_ev_switch *rec;
	struct rsp_wait wait;
	__u64 kstack;

	wait_of(task, (struct pt_regs *)bpf_task_pt_regs(task), false, &wait);
	if (wait.fd >= 0)
		wait.object = fd_object(RSP_SCRATCH_SCHED, task, wait.fd);
	if (BPF_CORE_READ_BITFIELD(task, in_iowait))
		wait.flags |= RSP_SW_IOWAIT;
	kstack = sleeper_stack(task);
	rec = rsp_reserve_at(rsp_ev_switch, RSP_EV_SWITCH, wait.flags | RSP_SW_SEED, ts_ns);
	if (!rec)
		return;
	rec->prev_tid = task->pid;
	rec->next_tid = 0;
	rec->prev_state = state_of(task) | freezer_state(task);
	rec->syscall_nr = wait.syscall_nr;
	rec->object = wait.object;
	rec->kstack = kstack;
	rec->ustack = 0;
	rsp_submit(rec);
}

#endif
