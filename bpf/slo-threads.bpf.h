/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the time for which threads sleep, and the time for which they wait for a CPU. The
 * functions are called at switches and wakeups, with interrupts off and locks held, so they
 * allocate nothing.
 */
#ifndef RSP_SLO_THREADS_BPF_H
#define RSP_SLO_THREADS_BPF_H

#include "bpf/slo.bpf.h"
#include "bpf/wait.bpf.h"

/* TASK_INTERRUPTIBLE or TASK_UNINTERRUPTIBLE; other states: stopped, dead */
#define TASK_SLEEPS 0x0003

/*
 * Number of slots, direct-mapped by tid. The kernel assigns tids in order, so threads that live at
 * the same time rarely collide.
 */
#define SLO_THREAD_SLOTS (1 << 14)

/*
 * If a thread is woken while it goes to sleep, two CPUs may write at once: the thread's CPU writes
 * asleep_ns, and the waker's CPU writes runnable_ns.
 */
struct slo_thread {
	__u32 tid;
	__u32 rules;	   /* set of rules (one bit each) that measure its current sleep */
	__u64 asleep_ns;   /* begin of its current or last sleep */
	__u64 runnable_ns; /* time of its wakeup or preemption */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SLO_THREAD_SLOTS);
	__type(key, __u32);
	__type(value, struct slo_thread);
} rsp_slo_threads SEC(".maps");

static __always_inline struct slo_thread *slo_thread_slot(__u32 tid)
{
	__u32 slot = tid & (SLO_THREAD_SLOTS - 1);

	return bpf_map_lookup_elem(&rsp_slo_threads, &slot);
}

/*
 * Returns whether the slot is in use: a rule measures the sleep of its thread, or the thread waits
 * for a CPU. After SLO_PENDING_MAX_NS, the slot counts as free.
 */
static __always_inline bool slo_thread_is_held(const struct slo_thread *thread, __u64 now_ns)
{
	__u64 since_ns = thread->asleep_ns;

	if (!thread->rules && thread->runnable_ns <= since_ns)
		return false;
	if (thread->runnable_ns > since_ns)
		since_ns = thread->runnable_ns;
	return (__s64)(now_ns - since_ns) < SLO_PENDING_MAX_NS;
}

/* Returns the thread's slot, and takes a free slot; NULL: another thread has the slot. */
static __always_inline struct slo_thread *slo_thread_of(__u32 tid, __u64 now_ns)
{
	struct slo_thread *thread = slo_thread_slot(tid);
	__u32 held;

	if (!thread)
		return NULL;
	held = thread->tid;
	if (held == tid)
		return thread;
	if (slo_thread_is_held(thread, now_ns) ||
	    __sync_val_compare_and_swap(&thread->tid, held, tid) != held)
		return NULL;
	thread->rules = 0;
	thread->asleep_ns = thread->runnable_ns = 0;
	return thread;
}

static __always_inline void slo_leaves(struct task_struct *prev, __u32 state,
				       const struct rsp_wait *wait, __u64 now_ns)
{
	struct slo_thread *thread = slo_thread_of(prev->pid, now_ns);
	__u32 rules = 0;

	if (state & TASK_SLEEPS && rsp_slo_active.wait &&
	    !(wait->flags & (RSP_SW_KTHREAD | RSP_SW_UNREADABLE)))
		rules = slo_matching(prev, rsp_slo_counting(rsp_slo_active.wait, wait->syscall_nr),
				     0);
	if (!thread) {
		rsp_slo_miss(rules);
		return;
	}
	thread->rules = rules;
	if (state)
		thread->asleep_ns = now_ns;
	else
		thread->runnable_ns = now_ns;
}

/*
 * The woken thread is not always asleep: it can be woken before it leaves its CPU (the kernel
 * reports these two events in either order), or a second time before it runs.
 */
static __noinline int slo_woken(struct task_struct *wakee, __u64 now_ns)
{
	struct slo_thread *thread = slo_thread_of(wakee->pid, now_ns);

	if (!thread)
		return 0;
	if (thread->rules) {
		rsp_slo_note(thread->rules & rsp_slo_active.wait, slo_pid_tgid(wakee),
			     thread->asleep_ns, now_ns);
		thread->rules = 0;
	}
	if (thread->runnable_ns <= thread->asleep_ns)
		thread->runnable_ns = now_ns;
	return 0;
}

static __always_inline void slo_comes(struct task_struct *next, __u64 now_ns)
{
	struct slo_thread *thread = slo_thread_slot(next->pid);
	__u32 rules = rsp_slo_active.runqueue;
	__u64 since_ns;

	if (!thread)
		return;
	if (thread->tid != (__u32)next->pid) {
		if (rules && slo_thread_is_held(thread, now_ns))
			rsp_slo_miss(slo_matching(next, rules, 0));
		return;
	}
	/*
	 * If the thread was woken before it left its CPU, its wait for a CPU begins when it leaves
	 * the CPU.
	 */
	since_ns = thread->runnable_ns;
	if (thread->asleep_ns > since_ns)
		since_ns = thread->asleep_ns;
	thread->rules = 0;
	thread->asleep_ns = thread->runnable_ns = 0;
	if (rules && since_ns)
		rsp_slo_note(slo_matching(next, rules, 0), slo_pid_tgid(next), since_ns, now_ns);
}

__noinline int rsp_slo_forget(__u32 tid)
{
	struct slo_thread *thread = slo_thread_slot(tid);

	if (!thread || thread->tid != tid)
		return 0;
	thread->rules = 0;
	thread->asleep_ns = thread->runnable_ns = 0;
	return 0;
}

static __noinline int slo_switched(struct task_struct *prev, struct task_struct *next, __u32 state,
				   const struct rsp_wait *wait, __u64 now_ns)
{
	if (prev->pid)
		slo_leaves(prev, state, wait, now_ns);
	if (next->pid)
		slo_comes(next, now_ns);
	return 0;
}

#endif
