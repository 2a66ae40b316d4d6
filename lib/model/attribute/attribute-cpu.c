/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains the time in which a thread could run but had no CPU, by the threads that had the CPU. */
#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/waits/used.h"

/* Returns 0 if the CPU is idle or the thread is unknown. */
static __u32 name_turn(struct rsp_attribution *a, const struct rsp_turn *turn, __u64 ts_ns)
{
	if (turn->thread == RSP_NO_THREAD)
		return 0;
	return rsp_names_thread(a->names, &a->model->threads.v[turn->thread], ts_ns);
}

static size_t turn_at(struct rsp_attribution *a, __u16 cpu, __u64 ts_ns)
{
	const struct rsp_cpu *where = &a->model->cpus.v[cpu];
	size_t i = rsp_turn_near(where, ts_ns, a->turn_of[cpu]);

	if (i < where->turns.cnt)
		a->turn_of[cpu] = i;
	return i;
}

/* Returns to_ns if the name does not change, or if the budget of turns is used up. */
static __u64 end_of_name(struct rsp_attribution *a, const struct rsp_turn *turn, __u64 from_ns,
			 __u64 to_ns, __u32 name)
{
	const struct rsp_thread *t;
	__u32 next;

	if (turn->thread == RSP_NO_THREAD)
		return to_ns;
	t = &a->model->threads.v[turn->thread];
	next = rsp_trace_identity(a->model->trace, t->identities, from_ns);
	for (; next != RSP_NO_IDENTITY && ++next < t->identities.end && a->turn_cnt;
	     a->turn_cnt--) {
		const struct rsp_ev_task *task = rsp_trace_identity_task(a->model->trace, next);

		if (task->hdr.ts_ns >= to_ns)
			break;
		if (task->hdr.ts_ns > from_ns &&
		    rsp_names_thread(a->names, t, task->hdr.ts_ns) != name)
			return task->hdr.ts_ns;
	}
	return to_ns;
}

/* Moves *i to the last turn that it looks at. Returns to_ns if the budget of turns is used up. */
static __u64 end_of_turns(struct rsp_attribution *a, const struct rsp_cpu *where, size_t *i,
			  __u64 from_ns, __u64 to_ns, __u32 name)
{
	for (;;) {
		const struct rsp_turn *turn = &where->turns.v[*i];
		bool is_last = *i + 1 >= where->turns.cnt || turn[1].from_ns >= to_ns;
		__u64 end_ns = is_last ? to_ns : turn[1].from_ns;
		__u64 renamed_ns = end_of_name(a, turn, from_ns, end_ns, name);

		if (renamed_ns < end_ns)
			return renamed_ns;
		if (is_last || !a->turn_cnt)
			return to_ns;
		++*i;
		rsp_used_turn(a->used, (__u32)(where - a->model->cpus.v), *i);
		a->turn_cnt--;
		from_ns = end_ns;
		if (name_turn(a, ++turn, from_ns) != name)
			return from_ns;
	}
}

/*
 * Returns whether the waiting thread no longer waits for this CPU, but for the CPU on which it runs
 * next: this CPU is idle, and no thread waits for an idle CPU.
 */
static bool has_moved(const struct rsp_turn *turn, const struct rsp_ev_switch *in, __u16 cpu)
{
	return turn->thread == RSP_NO_THREAD && in && in->hdr.cpu != cpu;
}

static void wait_for_cpu(struct rsp_attribution *a, struct rsp_piece *p, __u16 cpu,
			 enum rsp_category cat)
{
	const struct rsp_cpu *where = &a->model->cpus.v[cpu];
	const struct rsp_ev_switch *in = p->span->in;
	struct rsp_label label = rsp_attribute_label(a, p->span->out);
	size_t i = turn_at(a, cpu, p->from_ns);

	while (i < where->turns.cnt && p->from_ns < p->to_ns) {
		const struct rsp_turn *turn = &where->turns.v[i];

		rsp_used_turn(a->used, cpu, i);
		if (has_moved(turn, in, cpu)) {
			cpu = in->hdr.cpu;
			where = &a->model->cpus.v[cpu];
			i = turn_at(a, cpu, p->from_ns);
			continue;
		}
		label.object = name_turn(a, turn, p->from_ns);
		rsp_attribute_leaf_until(
			a, p, end_of_turns(a, where, &i, p->from_ns, p->to_ns, label.object), cat,
			label);
	}
	label.object = 0;
	rsp_attribute_leaf(a, p, cat, label);
}

static void wait_for_quota(struct rsp_attribution *a, struct rsp_piece *p, __u64 cgroup)
{
	struct rsp_label label = rsp_attribute_label(a, p->span->out);

	label.object = rsp_names_object(a->names, cgroup);
	p->flags |= RSP_HOP_THROTTLED;
	rsp_attribute_leaf(a, p, RSP_CAT_RUNQUEUE, label);
}

/* The wakeup is in the span before this one. */
static bool is_throttled(const struct rsp_thread *t, const struct rsp_span *span)
{
	const struct rsp_span *wait = span - 1;

	return span > t->spans.v && wait->kind == RSP_SPAN_BLOCKED && wait->waking &&
	       wait->waking->hdr.flags & RSP_WK_THROTTLED;
}

/*
 * If the thread still waits, RSP assumes that it waits for the CPU on which it last ran, because
 * the scheduler prefers that CPU.
 */
void rsp_attribute_runnable(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	const struct rsp_ev_switch *on = p->span->in ? p->span->in : p->span->out;
	struct rsp_label label;

	if (is_throttled(t, p->span)) {
		wait_for_quota(a, p, t->quota);
		return;
	}
	if (on) {
		wait_for_cpu(a, p, on->hdr.cpu, RSP_CAT_RUNQUEUE);
		return;
	}
	label = rsp_attribute_label(a, NULL);
	label.object = 0;
	rsp_attribute_leaf(a, p, RSP_CAT_RUNQUEUE, label);
}

void rsp_attribute_preempted(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_ev_switch *out = p->span->out;

	if (p->span->flags & RSP_SW_THROTTLED)
		wait_for_quota(a, p, out->object);
	else
		wait_for_cpu(a, p, out->hdr.cpu, RSP_CAT_PREEMPTED);
}
