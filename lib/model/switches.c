/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns SWITCH and WAKING records into spans. If a record does not fit the state of its thread, the
 * last span becomes unexplained. Accepts any sequence of records.
 */
#include "lib/model/model-parts.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/skew.h"

/*
 * EXIT_DEAD, EXIT_ZOMBIE, TASK_PARKED, TASK_DEAD: a thread in one of these states is never woken
 * again after its EXIT record.
 */
#define STATES_DEAD 0xf0

/* --- switches ------------------------------------------------------------------------------- */

static int switch_out(struct rsp_model *m, __u32 i, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t = &m->threads.v[i];
	bool stays = (ev->hdr.flags & RSP_SW_PREEMPTED) || ev->prev_state == 0;

	if (t->spans.cnt && rsp_span_last_kind(t) == RSP_SPAN_RUN && t->cpu == ev->hdr.cpu)
		rsp_span_last(t)->out = ev;
	else
		rsp_span_contradict(m, t);
	if (ev->hdr.flags & RSP_SW_THROTTLED)
		t->quota = ev->object;
	if (t->exit_ns && (ev->prev_state & STATES_DEAD)) {
		t->end_ns = ev->hdr.ts_ns;
		return 0;
	}
	if (t->early && ev->hdr.ts_ns - t->early->hdr.ts_ns > RSP_EARLY_WAKEUP_NS)
		t->early = NULL;
	return rsp_span_begin(t, stays ? RSP_SPAN_PREEMPTED : RSP_SPAN_BLOCKED, ev->hdr.ts_ns, ev)
		       ? 0
		       : -ENOMEM;
}

/*
 * Returns whether a thread without spans that gets the CPU of another thread has waited for a CPU
 * since the recording began: the census contains the thread, but has no SEED record of it, so it
 * was not blocked. If it had been on a CPU at that time, a switch from it would be recorded.
 */
static bool waits_since_census(struct rsp_model *m, const struct rsp_thread *t,
			       const struct rsp_ev_switch *ev)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, ev->hdr.ts_ns);
	__u64 from_ns = rsp_thread_lead_ns(m, t, ev->hdr.ts_ns);

	if (!ev->prev_tid || t->birth_ns || !task || !(task->hdr.flags & RSP_TASK_SEED))
		return false;
	return !rsp_pausing_of_tid(m, t->tid)->resumed_ns &&
	       !rsp_gap_overlaps(&m->gaps, from_ns, ev->hdr.ts_ns);
}

static int switch_in(struct rsp_model *m, __u32 i, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t = &m->threads.v[i];
	struct rsp_span *last = rsp_span_last(t);

	if (!last && waits_since_census(m, t, ev))
		last = rsp_span_begin(t, RSP_SPAN_RUNNABLE, rsp_thread_lead_ns(m, t, ev->hdr.ts_ns),
				      NULL);
	if (!last)
		return rsp_span_begin_run(t, ev->hdr.ts_ns, ev->hdr.cpu);
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
		/* No wakeup was recorded. If no record was lost, the thread slept until now. */
		if (!rsp_span_lasted(m, last, ev->hdr.ts_ns))
			rsp_span_contradict(m, t);
		else if (rsp_waker_unseen(m, i, last) < 0)
			return -ENOMEM;
		break;
	case RSP_SPAN_RUN:
		rsp_cpu_lose_track(m, t);
		rsp_span_contradict(m, t);
		break;
	}
	return rsp_span_begin_run(t, ev->hdr.ts_ns, ev->hdr.cpu);
}

/*
 * A record with RSP_SW_CARRIED contains no next thread, so the thread on the CPU is unknown until
 * the next record of the CPU.
 */
int rsp_model_switch(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	__u32 prev, next = RSP_NO_THREAD;

	if (rsp_cpu_seen_running(m, ev->hdr.cpu, ev->prev_tid, ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	prev = rsp_turn_last(&m->cpus.v[ev->hdr.cpu])->thread;
	if (prev != RSP_NO_THREAD && switch_out(m, prev, ev) < 0)
		return -ENOMEM;
	if (ev->next_tid && rsp_model_thread(m, ev->next_tid, &next) < 0)
		return -ENOMEM;
	if (next != RSP_NO_THREAD && switch_in(m, next, ev) < 0)
		return -ENOMEM;
	return rsp_turn_begin(&m->cpus.v[ev->hdr.cpu], next, ev->hdr.ts_ns);
}

/*
 * Returns whether the thread, asleep in the census, left its CPU while recording began. The BPF
 * programs for switches are attached after others, so the switch was not recorded.
 */
static bool left_unseen(const struct rsp_thread *t)
{
	return t->spans.cnt == 1 && (rsp_span_last_kind(t) == RSP_SPAN_RUN ||
				     rsp_span_last_kind(t) == RSP_SPAN_UNEXPLAINED);
}

int rsp_model_seed(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	struct rsp_thread *t;
	__u32 i;

	if (ev->prev_tid == 0)
		return 0;
	if (rsp_pausing_of_tid(m, ev->prev_tid)->resumed_ns)
		return rsp_model_seed_again(m, ev);
	/*
	 * A wait for this CPU looks up the CPU's turns, so the CPU must exist in the model, even
	 * without turns.
	 */
	if (!rsp_cpu_get(m, ev->hdr.cpu) || rsp_model_thread(m, ev->prev_tid, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	if (left_unseen(t)) {
		if (rsp_span_last_kind(t) == RSP_SPAN_RUN)
			rsp_cpu_lose_track(m, t);
		rsp_span_contradict(m, t);
		return rsp_span_begin(t, RSP_SPAN_BLOCKED, ev->hdr.ts_ns, ev) ? 0 : -ENOMEM;
	}
	if (t->spans.cnt)
		return 0;
	return rsp_span_begin(t, RSP_SPAN_BLOCKED, rsp_thread_lead_ns(m, t, ev->hdr.ts_ns), ev)
		       ? 0
		       : -ENOMEM;
}

/* --- wakeups -------------------------------------------------------------------------------- */

static int note_end(struct rsp_model *m, const struct rsp_thread *t, const struct rsp_ev_waking *ev)
{
	struct rsp_ended *ended = rsp_array_add(&m->ended);

	if (!ended)
		return -ENOMEM;
	*ended = (struct rsp_ended){ev, (__u32)(t - m->threads.v), (__u32)(t->spans.cnt - 1)};
	return 0;
}

int rsp_wait_end(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev)
{
	if (rsp_waker_resolve(m, ev, rsp_span_last(t)) < 0 || note_end(m, t, ev) < 0)
		return -ENOMEM;
	return 0;
}

static int wake(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev)
{
	const struct rsp_ev_switch *out = NULL;
	struct rsp_span *last = rsp_span_last(t);

	if (!last)
		last = rsp_span_begin(t, RSP_SPAN_BLOCKED, rsp_thread_lead_ns(m, t, ev->hdr.ts_ns),
				      NULL);
	if (!last)
		return -ENOMEM;
	switch (last->kind) {
	case RSP_SPAN_RUN:
		t->early = ev;
		return 0;
	case RSP_SPAN_BLOCKED:
		out = last->out;
		rsp_wait_extend(m, t, ev);
		if (rsp_wait_end(m, t, ev) < 0)
			return -ENOMEM;
		break;
	case RSP_SPAN_UNEXPLAINED:
		break;
	default:
		return 0;
	}
	return rsp_span_begin(t, RSP_SPAN_RUNNABLE, ev->hdr.ts_ns, out) ? 0 : -ENOMEM;
}

int rsp_model_waking_threads(struct rsp_model *m, const struct rsp_ev_waking *ev, __u32 *ret_wakee)
{
	if (rsp_model_thread(m, ev->wakee_tid, ret_wakee) < 0)
		return -ENOMEM;
	if (ev->waker_tid && ev->context == RSP_WAKE_TASK &&
	    rsp_model_thread(m, ev->waker_tid, &(__u32){0}) < 0)
		return -ENOMEM;
	return 0;
}

int rsp_model_waking(struct rsp_model *m, const struct rsp_ev_waking *ev)
{
	uint64_t known;
	__u32 i;

	if (ev->wakee_tid == 0 || ev->hdr.flags & RSP_WK_PAUSED)
		return 0; /* outside of a pause, the same wakeup also has an ordinary record */
	if (ev->hdr.flags & RSP_WK_NEW) {
		if (rsp_idmap_get(&m->thread_of, ev->wakee_tid, &known) &&
		    rsp_thread_is_newborn(&m->threads.v[known]))
			return rsp_thread_begin_life(&m->threads.v[known], ev->hdr.ts_ns);
		if (rsp_thread_begin(m, ev->wakee_tid, ev->waker_tid, ev->hdr.ts_ns, &i) < 0)
			return -ENOMEM;
		return rsp_thread_begin_life(&m->threads.v[i], ev->hdr.ts_ns);
	}
	if (rsp_model_waking_threads(m, ev, &i) < 0)
		return -ENOMEM;
	return wake(m, &m->threads.v[i], ev);
}
