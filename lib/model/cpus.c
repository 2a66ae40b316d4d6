/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See model-parts.h. Keeps track of the thread that runs on each CPU. */
#include "lib/model/model-parts.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/near.h"

struct rsp_cpu *rsp_cpu_get(struct rsp_model *m, __u16 cpu)
{
	while (m->cpus.cnt <= cpu)
		if (!rsp_array_add(&m->cpus))
			return NULL;
	return &m->cpus.v[cpu];
}

struct rsp_turn *rsp_turn_last(const struct rsp_cpu *cpu)
{
	return cpu->turns.cnt ? &cpu->turns.v[cpu->turns.cnt - 1] : NULL;
}

int rsp_turn_begin(struct rsp_cpu *cpu, __u32 thread, __u64 ts_ns)
{
	struct rsp_turn *turn = rsp_array_add(&cpu->turns);

	if (!turn)
		return -ENOMEM;
	*turn = (struct rsp_turn){.from_ns = ts_ns, .thread = thread};
	return 0;
}

void rsp_cpu_lose_track(struct rsp_model *m, const struct rsp_thread *t)
{
	rsp_turn_last(&m->cpus.v[t->cpu])->thread = RSP_NO_THREAD;
}

size_t rsp_turn_near(const struct rsp_cpu *cpu, __u64 ts_ns, size_t near)
{
	_Static_assert(offsetof(struct rsp_turn, from_ns) == 0, "as near.h wants it");

	if (cpu->turns.cnt == 0 || ts_ns < cpu->turns.v[0].from_ns)
		return cpu->turns.cnt;
	return rsp_near(cpu->turns.v, cpu->turns.cnt, sizeof(*cpu->turns.v), ts_ns, near);
}

__u64 rsp_thread_lead_ns(struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, ts_ns);
	__u64 from_ns = m->start_ns, resumed_ns = rsp_pausing_of_tid(m, t->tid)->resumed_ns;

	if (from_ns < t->known_ns)
		from_ns = t->known_ns;
	if (from_ns < t->birth_ns)
		from_ns = t->birth_ns;
	if (from_ns < resumed_ns)
		from_ns = resumed_ns;
	if (task && task->start_ns > from_ns)
		from_ns = task->start_ns;
	return from_ns < ts_ns ? from_ns : ts_ns;
}

/* The thread of the CPU's last turn left the CPU without a record of the switch. */
static void displace(struct rsp_model *m, __u16 cpu)
{
	const struct rsp_turn *turn = rsp_turn_last(&m->cpus.v[cpu]);
	struct rsp_thread *t;

	if (!turn || turn->thread == RSP_NO_THREAD)
		return;
	t = &m->threads.v[turn->thread];
	if (t->spans.cnt && rsp_span_last_kind(t) == RSP_SPAN_RUN && t->cpu == cpu)
		rsp_span_contradict(m, t);
}

bool rsp_span_lasted(const struct rsp_model *m, const struct rsp_span *blocked, __u64 ts_ns)
{
	return blocked->from_ns >= m->start_ns &&
	       !rsp_gap_overlaps(&m->gaps, blocked->from_ns, ts_ns);
}

static bool was_off_cpu(const struct rsp_model *m, const struct rsp_span *last, __u64 ts_ns)
{
	if (last->kind == RSP_SPAN_BLOCKED)
		return rsp_span_lasted(m, last, ts_ns);
	return last->kind == RSP_SPAN_PREEMPTED || last->kind == RSP_SPAN_RUNNABLE;
}

static __u64 later(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

/*
 * Begins the run of a thread that a record shows on a CPU, although no record contains the switch
 * to the thread.
 */
static int appear(struct rsp_model *m, struct rsp_thread *t, __u16 cpu, __u64 ts_ns)
{
	const struct rsp_turn *turn = rsp_turn_last(&m->cpus.v[cpu]);
	bool untouched = !turn || turn->from_ns < m->start_ns;
	struct rsp_span *last = rsp_span_last(t);

	if (rsp_cpu_is_fresh(m, &m->cpus.v[cpu], t))
		return rsp_span_begin_run(
			t, later(rsp_pausing_of_tid(m, t->tid)->resumed_ns, t->birth_ns), cpu);
	if (untouched && (!last || last->from_ns < m->start_ns)) {
		t->spans.cnt = 0;
		return rsp_span_begin_run(t, rsp_thread_lead_ns(m, t, ts_ns), cpu);
	}
	if (last && turn && last->from_ns < turn->from_ns && was_off_cpu(m, last, ts_ns)) {
		if (rsp_waker_unseen(m, (__u32)(t - m->threads.v), last) < 0 ||
		    !rsp_span_begin(t, RSP_SPAN_UNEXPLAINED, turn->from_ns, NULL))
			return -ENOMEM;
	} else if (last && last->kind == RSP_SPAN_RUN && t->cpu != cpu) {
		rsp_cpu_lose_track(m, t);
		rsp_span_contradict(m, t);
	} else if (last && last->kind != RSP_SPAN_RUN) {
		rsp_span_contradict(m, t);
	}
	return rsp_span_begin_run(t, ts_ns, cpu);
}

int rsp_cpu_seen_running(struct rsp_model *m, __u16 cpu, __u32 tid, __u64 ts_ns)
{
	struct rsp_cpu *where = rsp_cpu_get(m, cpu);
	__u32 i = RSP_NO_THREAD;

	if (!where || (tid && rsp_model_thread(m, tid, &i) < 0))
		return -ENOMEM;
	if (rsp_turn_last(where) && rsp_turn_last(where)->thread == i)
		return 0;
	displace(m, cpu);
	if (tid && appear(m, &m->threads.v[i], cpu, ts_ns) < 0)
		return -ENOMEM;
	return rsp_turn_begin(where, i, ts_ns);
}
