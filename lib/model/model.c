/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SWITCH, WAKING, TASK and EXIT records in time order -> spans of threads. Each thread is a small
 * state machine whose state is its last span. A record that does not fit the state turns that span
 * into an unexplained one: nothing is guessed, and no sequence of records is refused.
 */
#include "model.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* An interrupt that comes during a switch is recorded after it, in the name of the former thread.
 */
#define SWITCH_GRACE_NS 20000

/*
 * A wakeup may find its thread on the way to sleep: no more runnable, not yet switched out. Between
 * the two lie a few microseconds of schedule(), longer if it looks for work on other CPUs, the
 * recorder itself, which unwinds a cold stack before it takes the time, and whatever a hypervisor
 * does meanwhile: 45 us were seen on an idle machine, 450 us on a busy virtual one. A later wakeup
 * would tell that this one belongs to an earlier attempt to sleep, unless it was not recorded.
 */
#define EARLY_WAKEUP_NS 10000000

/* EXIT_DEAD, EXIT_ZOMBIE, TASK_PARKED, TASK_DEAD: all that an exited thread is never woken from. */
#define STATES_DEAD 0xf0

/* --- spans ---------------------------------------------------------------------------------- */

static struct rsp_span *last_span(const struct rsp_thread *t)
{
	return t->spans.cnt ? &t->spans.v[t->spans.cnt - 1] : NULL;
}

static enum rsp_span_kind last_kind(const struct rsp_thread *t)
{
	return last_span(t)->kind;
}

static struct rsp_span *begin(struct rsp_thread *t, enum rsp_span_kind kind, __u64 ts_ns,
			      const struct rsp_ev_switch *out)
{
	struct rsp_span *span = rsp_array_add(&t->spans);

	if (!span)
		return NULL;
	span->kind = kind;
	span->from_ns = ts_ns;
	span->out = out;
	if (kind == RSP_SPAN_RUN)
		t->last_run = (__u32)(t->spans.cnt - 1);
	return span;
}

static int begin_run(struct rsp_thread *t, __u64 ts_ns, __u32 cpu)
{
	t->cpu = cpu;
	t->early = NULL;
	return begin(t, RSP_SPAN_RUN, ts_ns, NULL) ? 0 : -ENOMEM;
}

/* A state from before the recording proper that does not fit was out of date: it tells nothing. */
static void contradict(const struct rsp_model *m, struct rsp_thread *t)
{
	if (!t->spans.cnt)
		return;
	t->last_run = RSP_NO_THREAD;
	if (last_span(t)->from_ns < m->start_ns)
		t->spans.cnt = 0;
	else
		last_span(t)->kind = RSP_SPAN_UNEXPLAINED;
}

__u64 rsp_span_end(const struct rsp_thread *t, size_t i)
{
	return i + 1 < t->spans.cnt ? t->spans.v[i + 1].from_ns : t->end_ns;
}

size_t rsp_span_at(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t lo = 0, hi = t->spans.cnt;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->spans.v[mid].from_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* --- threads and CPUs ----------------------------------------------------------------------- */

static int new_life(struct rsp_model *m, __u32 tid, __u32 *ret)
{
	struct rsp_thread *t = rsp_array_add(&m->threads);

	if (!t || rsp_idmap_put(&m->thread_of, tid, m->threads.cnt - 1) < 0)
		return -ENOMEM;
	t->tid = tid;
	t->parent = RSP_NO_THREAD;
	t->end_ns = UINT64_MAX;
	t->last_run = RSP_NO_THREAD;
	*ret = (__u32)(m->threads.cnt - 1);
	return 0;
}

int rsp_model_thread(struct rsp_model *m, __u32 tid, __u32 *ret)
{
	__u64 known_ns = 0;
	uint64_t i;
	int r;

	if (rsp_idmap_get(&m->thread_of, tid, &i)) {
		known_ns = m->threads.v[i].end_ns;
		if (known_ns == UINT64_MAX) {
			*ret = (__u32)i;
			return 0;
		}
	}
	r = new_life(m, tid, ret);
	if (r == 0)
		m->threads.v[*ret].known_ns = known_ns;
	return r;
}

static struct rsp_cpu *cpu_of(struct rsp_model *m, __u16 cpu)
{
	while (m->cpus.cnt <= cpu)
		if (!rsp_array_add(&m->cpus))
			return NULL;
	return &m->cpus.v[cpu];
}

/* The present one; NULL: neither a switch nor anyone was seen on this CPU yet. */
static struct rsp_turn *last_turn(const struct rsp_cpu *cpu)
{
	return cpu->turns.cnt ? &cpu->turns.v[cpu->turns.cnt - 1] : NULL;
}

static int begin_turn(struct rsp_cpu *cpu, __u32 thread, __u64 ts_ns)
{
	struct rsp_turn *turn = rsp_array_add(&cpu->turns);

	if (!turn)
		return -ENOMEM;
	*turn = (struct rsp_turn){.from_ns = ts_ns, .thread = thread};
	return 0;
}

/* It was seen elsewhere: when it left this CPU was not recorded. */
static void lose_track(struct rsp_model *m, const struct rsp_thread *t)
{
	last_turn(&m->cpus.v[t->cpu])->thread = RSP_NO_THREAD;
}

size_t rsp_turn_at(const struct rsp_cpu *cpu, __u64 ts_ns)
{
	size_t lo = 0, hi = cpu->turns.cnt;

	if (hi == 0 || ts_ns < cpu->turns.v[0].from_ns)
		return hi;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (cpu->turns.v[mid].from_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Since when a thread, of which nothing was recorded yet, may have been in the state it is in. */
static __u64 lead_ns(const struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns)
{
	const struct rsp_ev_task *task = rsp_trace_task(m->trace, t->tid, ts_ns);
	__u64 from_ns = m->start_ns;

	if (from_ns < t->known_ns)
		from_ns = t->known_ns;
	if (from_ns < t->birth_ns)
		from_ns = t->birth_ns;
	if (task && task->start_ns > from_ns)
		from_ns = task->start_ns;
	return from_ns < ts_ns ? from_ns : ts_ns;
}

/* Whose leaving of the CPU was lost. */
static void displace(struct rsp_model *m, __u16 cpu)
{
	const struct rsp_turn *turn = last_turn(&m->cpus.v[cpu]);
	struct rsp_thread *t;

	if (!turn || turn->thread == RSP_NO_THREAD)
		return;
	t = &m->threads.v[turn->thread];
	if (t->spans.cnt && last_kind(t) == RSP_SPAN_RUN && t->cpu == cpu)
		contradict(m, t);
}

/*
 * The thread is on a CPU that it was not seen to come to. If no one else was seen there either, it
 * has been since the beginning. Otherwise it can have come only after the last switch there; if it
 * waited for a CPU then, until then it did.
 */
static int appear(struct rsp_model *m, struct rsp_thread *t, __u16 cpu, __u64 ts_ns)
{
	const struct rsp_turn *turn = last_turn(&m->cpus.v[cpu]);
	bool untouched = !turn || turn->from_ns < m->start_ns;
	struct rsp_span *last = last_span(t);

	if (untouched && (!last || last->from_ns < m->start_ns)) {
		t->spans.cnt = 0;
		return begin_run(t, lead_ns(m, t, ts_ns), cpu);
	}
	if (last && turn && last->from_ns < turn->from_ns &&
	    (last->kind == RSP_SPAN_PREEMPTED || last->kind == RSP_SPAN_RUNNABLE)) {
		if (!begin(t, RSP_SPAN_UNEXPLAINED, turn->from_ns, NULL))
			return -ENOMEM;
	} else if (last && last->kind == RSP_SPAN_RUN && t->cpu != cpu) {
		lose_track(m, t);
		contradict(m, t);
	} else if (last && last->kind != RSP_SPAN_RUN) {
		contradict(m, t);
	}
	return begin_run(t, ts_ns, cpu);
}

/* tid is on cpu at ts_ns; 0 is idle. If that is news, a switch was not recorded. */
static int seen_running(struct rsp_model *m, __u16 cpu, __u32 tid, __u64 ts_ns)
{
	struct rsp_cpu *where = cpu_of(m, cpu);
	__u32 i = RSP_NO_THREAD;

	if (!where || (tid && rsp_model_thread(m, tid, &i) < 0))
		return -ENOMEM;
	if (last_turn(where) && last_turn(where)->thread == i)
		return 0;
	displace(m, cpu);
	if (tid && appear(m, &m->threads.v[i], cpu, ts_ns) < 0)
		return -ENOMEM;
	return begin_turn(where, i, ts_ns);
}

/* --- switches ------------------------------------------------------------------------------- */

static int switch_out(struct rsp_model *m, __u32 i, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t = &m->threads.v[i];
	bool stays = (ev->hdr.flags & RSP_SW_PREEMPTED) || ev->prev_state == 0;

	if (t->spans.cnt && last_kind(t) == RSP_SPAN_RUN && t->cpu == ev->hdr.cpu)
		last_span(t)->out = ev;
	else
		contradict(m, t);
	if (t->exit_ns && (ev->prev_state & STATES_DEAD)) {
		t->end_ns = ev->hdr.ts_ns;
		return 0;
	}
	if (t->early && ev->hdr.ts_ns - t->early->hdr.ts_ns > EARLY_WAKEUP_NS)
		t->early = NULL;
	return begin(t, stays ? RSP_SPAN_PREEMPTED : RSP_SPAN_BLOCKED, ev->hdr.ts_ns, ev) ? 0
											  : -ENOMEM;
}

static int switch_in(struct rsp_model *m, __u32 i, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t = &m->threads.v[i];
	struct rsp_span *last = last_span(t);

	if (!last)
		return begin_run(t, ev->hdr.ts_ns, ev->hdr.cpu);
	switch (last->kind) {
	case RSP_SPAN_RUNNABLE:
	case RSP_SPAN_PREEMPTED:
		last->in = ev;
		break;
	case RSP_SPAN_BLOCKED:
		if (t->early) {
			last->kind = RSP_SPAN_RUNNABLE;
			last->in = ev;
			break;
		}
		contradict(m, t);
		break;
	case RSP_SPAN_RUN:
		lose_track(m, t);
		contradict(m, t);
		break;
	}
	return begin_run(t, ev->hdr.ts_ns, ev->hdr.cpu);
}

/*
 * Before start_ns there may be switches that were carried into the window, each for the wait it
 * began: what became of next is then out of date, which shows as soon as its CPU is heard of again.
 */
static int on_switch(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	__u32 prev, next = RSP_NO_THREAD;

	if (seen_running(m, ev->hdr.cpu, ev->prev_tid, ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	prev = last_turn(&m->cpus.v[ev->hdr.cpu])->thread;
	if (prev != RSP_NO_THREAD && switch_out(m, prev, ev) < 0)
		return -ENOMEM;
	if (ev->next_tid && rsp_model_thread(m, ev->next_tid, &next) < 0)
		return -ENOMEM;
	if (next != RSP_NO_THREAD && switch_in(m, next, ev) < 0)
		return -ENOMEM;
	return begin_turn(&m->cpus.v[ev->hdr.cpu], next, ev->hdr.ts_ns);
}

static int on_seed(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t;
	__u32 i;

	if (ev->prev_tid == 0)
		return 0;
	if (rsp_model_thread(m, ev->prev_tid, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	if (t->spans.cnt)
		return 0;
	return begin(t, RSP_SPAN_BLOCKED, lead_ns(m, t, ev->hdr.ts_ns), ev) ? 0 : -ENOMEM;
}

/* --- wakeups -------------------------------------------------------------------------------- */

static int be_born(struct rsp_model *m, __u32 tid, __u32 ptid, __u64 ts_ns, __u32 *ret)
{
	__u32 parent = RSP_NO_THREAD;
	struct rsp_thread *t;
	uint64_t old;

	if (rsp_idmap_get(&m->thread_of, tid, &old) && m->threads.v[old].end_ns > ts_ns)
		m->threads.v[old].end_ns = ts_ns;
	if (ptid && rsp_model_thread(m, ptid, &parent) < 0)
		return -ENOMEM;
	if (new_life(m, tid, ret) < 0)
		return -ENOMEM;
	t = &m->threads.v[*ret];
	t->parent = parent;
	t->birth_ns = ts_ns;
	t->known_ns = ts_ns;
	return 0;
}

/* Nothing is known of it but its birth. */
static bool is_newborn(const struct rsp_thread *t)
{
	return t->birth_ns &&
	       (!t->spans.cnt || (t->spans.cnt == 1 && last_kind(t) == RSP_SPAN_RUNNABLE));
}

static int begin_life(struct rsp_thread *t, __u64 ts_ns)
{
	if (t->spans.cnt)
		return 0;
	return begin(t, RSP_SPAN_RUNNABLE, ts_ns, NULL) ? 0 : -ENOMEM;
}

static int wake(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev)
{
	const struct rsp_ev_switch *out = NULL;
	struct rsp_span *last = last_span(t);

	if (!last)
		last = begin(t, RSP_SPAN_BLOCKED, lead_ns(m, t, ev->hdr.ts_ns), NULL);
	if (!last)
		return -ENOMEM;
	switch (last->kind) {
	case RSP_SPAN_RUN:
		t->early = ev;
		return 0;
	case RSP_SPAN_BLOCKED:
		out = last->out;
		if (rsp_waker_resolve(m, ev, last) < 0)
			return -ENOMEM;
		break;
	case RSP_SPAN_UNEXPLAINED:
		break;
	default:
		return 0;
	}
	return begin(t, RSP_SPAN_RUNNABLE, ev->hdr.ts_ns, out) ? 0 : -ENOMEM;
}

static int on_waking(struct rsp_model *m, const struct rsp_ev_waking *ev)
{
	uint64_t known;
	__u32 i;

	if (ev->wakee_tid == 0)
		return 0;
	if (ev->hdr.flags & RSP_WK_NEW) {
		if (rsp_idmap_get(&m->thread_of, ev->wakee_tid, &known) &&
		    is_newborn(&m->threads.v[known]))
			return begin_life(&m->threads.v[known], ev->hdr.ts_ns);
		if (be_born(m, ev->wakee_tid, ev->waker_tid, ev->hdr.ts_ns, &i) < 0)
			return -ENOMEM;
		return begin_life(&m->threads.v[i], ev->hdr.ts_ns);
	}
	if (rsp_model_thread(m, ev->wakee_tid, &i) < 0)
		return -ENOMEM;
	/* The waker is made first: the array of threads may move. */
	if (ev->waker_tid && ev->context == RSP_WAKE_TASK &&
	    rsp_model_thread(m, ev->waker_tid, &(__u32){0}) < 0)
		return -ENOMEM;
	return wake(m, &m->threads.v[i], ev);
}

/* --- identity ------------------------------------------------------------------------------- */

static bool in_span(const struct rsp_model *m, __u64 ts_ns)
{
	return ts_ns >= m->since_ns && ts_ns <= m->until_ns;
}

static int on_fork(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	uint64_t parent;
	__u32 i;

	if (be_born(m, ev->tid, ev->ptid, ev->hdr.ts_ns, &i) < 0)
		return -ENOMEM;
	/* Born before the span, what it has done since is for later records to tell: this one is
	 * carried. */
	if (ev->hdr.ts_ns >= m->start_ns && begin_life(&m->threads.v[i], ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	if (rsp_idmap_get(&m->thread_of, ev->ptid, &parent) && in_span(m, ev->hdr.ts_ns))
		m->threads.v[parent].fork_cnt++;
	return 0;
}

/*
 * When a thread that is not its process's first one execs, the kernel ends all others and gives it
 * the first one's tid: what is on the CPU then has been there under another number.
 */
static int take_over_tid(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	const struct rsp_cpu *cpu = cpu_of(m, ev->hdr.cpu);
	const struct rsp_ev_task *task;
	const struct rsp_turn *turn;
	struct rsp_thread *t;
	uint64_t first;

	if (!cpu)
		return -ENOMEM;
	turn = last_turn(cpu);
	if (!turn || turn->thread == RSP_NO_THREAD)
		return 0;
	t = &m->threads.v[turn->thread];
	task = rsp_trace_task(m->trace, t->tid, ev->hdr.ts_ns);
	if (t->tid == ev->tid || !task || task->tgid != ev->tgid)
		return 0;
	if (rsp_idmap_get(&m->thread_of, ev->tid, &first) &&
	    m->threads.v[first].end_ns > ev->hdr.ts_ns)
		m->threads.v[first].end_ns = ev->hdr.ts_ns;
	rsp_idmap_remove(&m->thread_of, t->tid);
	t->tid = ev->tid;
	return rsp_idmap_put(&m->thread_of, t->tid, turn->thread);
}

/* The run goes on under another name: two runs with no sleep between. */
static int on_exec(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	struct rsp_thread *t;
	__u32 i;

	if (take_over_tid(m, ev) < 0 || rsp_model_thread(m, ev->tid, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	if (in_span(m, ev->hdr.ts_ns))
		t->exec_cnt++;
	if (!t->spans.cnt || last_kind(t) != RSP_SPAN_RUN)
		return 0;
	return begin_run(t, ev->hdr.ts_ns, t->cpu);
}

static int on_task(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	if (ev->tid == 0)
		return 0;
	if (ev->hdr.flags & RSP_TASK_FORK)
		return on_fork(m, ev);
	if (ev->hdr.flags & RSP_TASK_EXEC)
		return on_exec(m, ev);
	return rsp_model_thread(m, ev->tid, &(__u32){0});
}

/* It still frees its memory and wakes its parent: its life ends when it leaves the CPU for good. */
static int on_death(struct rsp_model *m, const struct rsp_ev_exit *ev)
{
	__u32 i;

	if (ev->tid == 0)
		return 0;
	if (rsp_model_thread(m, ev->tid, &i) < 0)
		return -ENOMEM;
	m->threads.v[i].exit_ns = ev->hdr.ts_ns;
	return 0;
}

/* --- samples and operations ----------------------------------------------------------------- */

static int on_sample(struct rsp_model *m, const struct rsp_ev_sample *ev)
{
	const struct rsp_ev_sample **slot;
	struct rsp_thread *t;
	struct rsp_span *run;
	uint64_t i;

	if (!rsp_idmap_get(&m->thread_of, ev->tid, &i))
		return 0;
	t = &m->threads.v[i];
	if (t->last_run == RSP_NO_THREAD)
		return 0;
	run = &t->spans.v[t->last_run];
	if (ev->hdr.ts_ns > rsp_span_end(t, t->last_run) &&
	    ev->hdr.ts_ns - rsp_span_end(t, t->last_run) > SWITCH_GRACE_NS)
		return 0;
	if (run->samples.cnt == 0)
		run->samples.first = (__u32)t->samples.cnt;
	slot = rsp_array_add(&t->samples);
	if (!slot)
		return -ENOMEM;
	*slot = ev;
	run->samples.cnt++;
	return 0;
}

static __u32 known_thread(const struct rsp_model *m, __u32 tid)
{
	uint64_t thread = RSP_NO_THREAD;

	rsp_idmap_get(&m->thread_of, tid, &thread);
	return (__u32)thread;
}

static int on_block(struct rsp_model *m, const struct rsp_ev_block *ev)
{
	return rsp_ops_block(&m->ops, ev, known_thread(m, ev->tid));
}

static int on_net(struct rsp_model *m, const struct rsp_ev_net *ev)
{
	return rsp_ops_net(&m->ops, m->trace, ev, known_thread(m, ev->tid));
}

/* Many records tell in passing who was on their CPU. */
static bool current_of(const struct rsp_ev_hdr *hdr, __u32 *ret)
{
	const void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_WAKING:
		*ret = ((const struct rsp_ev_waking *)ev)->waker_tid;
		return true;
	case RSP_EV_SAMPLE:
		*ret = ((const struct rsp_ev_sample *)ev)->tid;
		return true;
	case RSP_EV_BLOCK:
		*ret = ((const struct rsp_ev_block *)ev)->tid;
		return true;
	case RSP_EV_IRQ:
		*ret = ((const struct rsp_ev_irq *)ev)->tid;
		return true;
	case RSP_EV_EXIT:
		*ret = ((const struct rsp_ev_exit *)ev)->tid;
		return true;
	}
	return false;
}

/* Not right after a switch: an interrupt there may still find the former thread. */
static int look_in_passing(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_turn *turn;
	const struct rsp_cpu *cpu;
	__u32 tid;

	if (!current_of(hdr, &tid))
		return 0;
	cpu = cpu_of(m, hdr->cpu);
	if (!cpu)
		return -ENOMEM;
	turn = last_turn(cpu);
	if (turn && hdr->ts_ns - turn->from_ns <= SWITCH_GRACE_NS)
		return 0;
	return seen_running(m, hdr->cpu, tid, hdr->ts_ns);
}

static int on_event(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const void *ev = hdr;

	if (look_in_passing(m, hdr) < 0)
		return -ENOMEM;
	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return hdr->flags & RSP_SW_SEED ? on_seed(m, ev) : on_switch(m, ev);
	case RSP_EV_WAKING:
		return on_waking(m, ev);
	case RSP_EV_SAMPLE:
		return on_sample(m, ev);
	case RSP_EV_BLOCK:
		return on_block(m, ev);
	case RSP_EV_NET:
		return on_net(m, ev);
	case RSP_EV_TASK:
		return on_task(m, ev);
	case RSP_EV_EXIT:
		return on_death(m, ev);
	}
	return 0;
}

/* --- gaps ----------------------------------------------------------------------------------- */

static int compare_gaps(const void *pa, const void *pb)
{
	const struct rsp_gap *a = pa, *b = pb;

	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

static void merge_gaps(struct rsp_model *m)
{
	size_t kept = 0;

	if (m->gaps.cnt == 0)
		return;
	qsort(m->gaps.v, m->gaps.cnt, sizeof(*m->gaps.v), compare_gaps);
	for (size_t i = 1; i < m->gaps.cnt; i++) {
		struct rsp_gap *gap = &m->gaps.v[kept];

		if (m->gaps.v[i].from_ns > gap->to_ns)
			m->gaps.v[++kept] = m->gaps.v[i];
		else if (gap->to_ns < m->gaps.v[i].to_ns)
			gap->to_ns = m->gaps.v[i].to_ns;
	}
	m->gaps.cnt = kept + 1;
}

static int find_gaps(struct rsp_model *m)
{
	const __u64 kinds = 1 << RSP_EV_SWITCH | 1 << RSP_EV_WAKING | 1 << RSP_EV_TASK |
			    1 << RSP_EV_EXIT;

	for (size_t i = 0; i < m->trace->event_cnt; i++) {
		const struct rsp_ev_lost *ev = (const void *)m->trace->events[i];
		struct rsp_gap *gap;

		if (ev->hdr.kind != RSP_EV_LOST || (ev->kinds && !(ev->kinds & kinds)))
			continue;
		gap = rsp_array_add(&m->gaps);
		if (!gap)
			return -ENOMEM;
		gap->to_ns = ev->hdr.ts_ns;
		gap->from_ns = ev->from_ns < gap->to_ns ? ev->from_ns : gap->to_ns;
	}
	merge_gaps(m);
	return 0;
}

size_t rsp_gap_after(const struct rsp_model *m, __u64 ts_ns)
{
	size_t lo = 0, hi = m->gaps.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->gaps.v[mid].to_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void set_bounds(struct rsp_model *m)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;

	m->since_ns = meta->since_ns ? meta->since_ns : m->trace->first_ns;
	m->until_ns = meta->until_ns ? meta->until_ns : m->trace->last_ns;
	if (m->until_ns < m->since_ns)
		m->until_ns = m->since_ns;
	m->start_ns = meta->window_oldest_ns ? meta->window_oldest_ns : m->trace->first_ns;
	if (m->start_ns < m->since_ns)
		m->start_ns = m->since_ns;
}

int rsp_model_new(const struct rsp_trace *trace, struct rsp_model **ret)
{
	struct rsp_model *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return -ENOMEM;
	m->trace = trace;
	set_bounds(m);
	r = find_gaps(m);
	for (size_t i = 0; i < trace->event_cnt && r == 0; i++)
		r = on_event(m, trace->events[i]);
	if (r < 0) {
		rsp_model_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

struct rsp_model *rsp_model_free(struct rsp_model *m)
{
	if (!m)
		return NULL;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		free(m->threads.v[i].spans.v);
		free(m->threads.v[i].samples.v);
	}
	free(m->threads.v);
	free(m->gaps.v);
	for (size_t i = 0; i < m->cpus.cnt; i++)
		free(m->cpus.v[i].turns.v);
	free(m->cpus.v);
	rsp_ops_done(&m->ops);
	rsp_idmap_done(&m->thread_of);
	free(m);
	return NULL;
}
