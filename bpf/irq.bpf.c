/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes IRQ records. Keeps the cause of each interrupt (a device's handler, a softirq vector, or
 * the timer that expired), to which the wakeups in this interrupt are attributed.
 */
#include "bpf/object.bpf.h"

static __always_inline void enter(__u32 level, __u32 context, __u64 cause)
{
	struct rsp_cpu *cpu = this_cpu();

	if (!cpu)
		return;
	cpu->level[level].start_ns = bpf_ktime_get_ns();
	cpu->level[level].context = context;
	cpu->level[level].cause = cause;
	cpu->level[level].special = 0;
	cpu->level[level].made_cnt = 0;
}

/* Returns the time at which the interrupt began; 0: unknown. */
static __always_inline __u64 leave(struct rsp_level *level)
{
	__u64 start_ns = level->start_ns;

	level->context = 0;
	level->special = 0;
	level->start_ns = 0;
	return start_ns;
}

static __always_inline int leave_hard(__u32 vector)
{
	struct rsp_cpu *cpu = this_cpu();
	struct rsp_ev_irq *rec;
	__u64 start_ns;

	if (!cpu)
		return 0;
	start_ns = leave(&cpu->level[RSP_LEVEL_HARD]);
	if (!start_ns)
		return 0;
	rec = rsp_reserve(rsp_ev_irq, RSP_EV_IRQ, RSP_IRQ_HARD);
	if (!rec)
		return 0;
	rec->vector = vector;
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->dur_ns = rec->hdr.ts_ns - start_ns;
	rec->object = cpu->level[RSP_LEVEL_HARD].cause;
	rsp_submit(rec);
	return 0;
}

static __always_inline __u64 name_object(__u64 id, const char *name)
{
	struct rsp_scratch *scratch;

	if (was_sent(id))
		return id;
	/*
	 * All programs that use RSP_SCRATCH_SCHED run with interrupts off, and so does this
	 * function. So the memory is free.
	 */
	scratch = scratch_of(RSP_SCRATCH_SCHED);
	if (!scratch)
		return 0;
	begin_object(scratch, RSP_OBJ_IRQ, id);
	append_string(scratch, name);
	send_object(scratch);
	return id;
}

SEC("tp_btf/irq_handler_entry")
int RSP_PROG(on_irq_entry, int irq, struct irqaction *action)
{
	__u64 id = mix(identity(action), irq);

	enter(RSP_LEVEL_HARD, RSP_WAKE_HARDIRQ, name_object(id, BPF_CORE_READ(action, name)));
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int RSP_PROG(on_irq_exit, int irq, struct irqaction *action)
{
	return leave_hard(irq);
}

SEC("tp_btf/softirq_entry")
int RSP_PROG(on_softirq_entry, unsigned int vector)
{
	enter(RSP_LEVEL_SOFT, RSP_WAKE_SOFTIRQ, vector);
	return 0;
}

static __always_inline void write_softirqs(const struct rsp_softirq_sum *sum)
{
	struct rsp_ev_irq *rec = rsp_reserve_at(rsp_ev_irq, RSP_EV_IRQ, RSP_IRQ_SOFT, sum->last_ns);

	if (!rec)
		return;
	rec->vector = sum->vector;
	rec->tid = sum->tid;
	rec->dur_ns = sum->dur_ns;
	rec->more_cnt = sum->cnt - 1;
	rec->longest_ns = sum->cnt > 1 ? sum->longest_ns : 0;
	rsp_submit(rec);
}

static __always_inline void add_softirq(struct rsp_softirq_sum *sum,
					const struct rsp_softirq_sum *one)
{
	if (!sum->cnt) {
		*sum = *one;
		return;
	}
	sum->last_ns = one->last_ns;
	sum->dur_ns += one->dur_ns;
	sum->cnt++;
	if (sum->longest_ns < one->longest_ns)
		sum->longest_ns = one->longest_ns;
}

/*
 * Adds up short softirqs, because the network of a busy server causes very many. A softirq that
 * woke a task or queued work has a record of its own, except NET_RX, whose wakeups are attributed
 * to sockets.
 */
static __always_inline int leave_soft(__u32 vector)
{
	struct rsp_softirq_sum *sum, one = {.vector = vector, .cnt = 1};
	struct rsp_cpu *cpu = this_cpu();

	if (!cpu)
		return 0;
	one.first_ns = leave(&cpu->level[RSP_LEVEL_SOFT]);
	if (!one.first_ns)
		return 0;
	one.last_ns = bpf_ktime_get_ns();
	one.dur_ns = one.last_ns - one.first_ns;
	one.longest_ns = one.dur_ns;
	one.tid = (__u32)bpf_get_current_pid_tgid();
	sum = &cpu->softirqs;
	if (sum->cnt && (sum->tid != one.tid || sum->vector != vector ||
			 one.last_ns - sum->first_ns > RSP_IRQ_SUM_NS)) {
		write_softirqs(sum);
		sum->cnt = 0;
	}
	if (one.dur_ns > RSP_IRQ_SHORT_NS ||
	    (cpu->level[RSP_LEVEL_SOFT].made_cnt && vector != NET_RX_SOFTIRQ))
		write_softirqs(&one);
	else
		add_softirq(sum, &one);
	return 0;
}

SEC("tp_btf/softirq_exit")
int RSP_PROG(on_softirq_exit, unsigned int vector)
{
	return leave_soft(vector);
}

/*
 * --- interrupts that CPUs send ------------------------------------------------------------------
 */

/*
 * Programs for interrupts that come from no device. They can interrupt a softirq, and then their
 * wakeups must not be attributed to the softirq.
 */
#define CPU_VECTOR(name)                                                                           \
	SEC("?tp_btf/" #name "_entry")                                                             \
	int RSP_PROG(on_##name##_entry, int vector)                                                \
	{                                                                                          \
		enter(RSP_LEVEL_HARD, RSP_WAKE_IRQ, name_object(vector_id(vector), #name));        \
		return 0;                                                                          \
	}                                                                                          \
	SEC("?tp_btf/" #name "_exit")                                                              \
	int RSP_PROG(on_##name##_exit, int vector)                                                 \
	{                                                                                          \
		return leave_hard(vector);                                                         \
	}

CPU_VECTOR(local_timer)
CPU_VECTOR(irq_work)
CPU_VECTOR(call_function)
CPU_VECTOR(call_function_single)

/* --- timers ---------------------------------------------------------------------------------- */

/*
 * Returns the level of softirqs if the CPU serves HRTIMER, else that of hard interrupts. The hard
 * interrupt may be unknown, since the timer interrupts of Hyper-V have no tracepoint.
 */
static __always_inline int hrtimer_level(struct rsp_cpu *cpu)
{
	bool own_softirq = current_level(cpu) == RSP_LEVEL_SOFT &&
			   cpu->level[RSP_LEVEL_SOFT].cause == HRTIMER_SOFTIRQ;

	return own_softirq ? RSP_LEVEL_SOFT : RSP_LEVEL_HARD;
}

static __always_inline void expire(struct rsp_cpu *cpu, int level, void *function,
				   __u64 sleepers_own)
{
	if (sleepers_own && (__u64)function == sleepers_own)
		set_special_at(cpu, level, RSP_WAKE_TIMER, 0);
	else
		set_special_at(cpu, level, RSP_WAKE_KTIMER, (__u64)function);
}

SEC("tp_btf/hrtimer_expire_entry")
int RSP_PROG(on_hrtimer_entry, struct hrtimer *timer)
{
	struct rsp_cpu *cpu = this_cpu();

	if (cpu)
		expire(cpu, hrtimer_level(cpu), BPF_CORE_READ(timer, function),
		       rsp_fn_hrtimer_wakeup);
	return 0;
}

SEC("tp_btf/hrtimer_expire_exit")
int RSP_PROG(on_hrtimer_exit)
{
	struct rsp_cpu *cpu = this_cpu();

	if (cpu)
		set_special_at(cpu, hrtimer_level(cpu), 0, 0);
	return 0;
}

SEC("tp_btf/timer_expire_entry")
int RSP_PROG(on_timer_entry, struct timer_list *timer)
{
	struct rsp_cpu *cpu = this_cpu();

	if (cpu)
		expire(cpu, RSP_LEVEL_SOFT, BPF_CORE_READ(timer, function), rsp_fn_process_timeout);
	return 0;
}

SEC("tp_btf/timer_expire_exit")
int RSP_PROG(on_timer_exit)
{
	struct rsp_cpu *cpu = this_cpu();

	if (cpu)
		set_special_at(cpu, RSP_LEVEL_SOFT, 0, 0);
	return 0;
}
