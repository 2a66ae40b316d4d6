/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the pauses of the recorder. From the beginning of a pause, the state of each thread and
 * CPU is unknown. The SEED records after the pause, or the first switches, show the state at the
 * end of the pause. If a thread has not switched during the pause (RSP_SW_SAME), its wait or run
 * continues as if there were no pause.
 */
#include "lib/model/model-parts.h"

#include "lib/snapshot/host.h"

struct rsp_pausing *rsp_pausing_of_tid(struct rsp_model *m, __u32 tid)
{
	__u32 host = rsp_host_of_tid(tid);

	return &m->pausing[host < RSP_HOST_CNT_MAX ? host : 0];
}

static __u32 host_of_cpu(const struct rsp_model *m, size_t cpu)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	__u32 host = meta->host_cnt;

	while (host > 1 && cpu < meta->hosts[host - 1].cpu_first)
		host--;
	return host ? host - 1 : 0;
}

struct rsp_pausing *rsp_pausing_of_cpu(struct rsp_model *m, size_t cpu)
{
	return &m->pausing[host_of_cpu(m, cpu)];
}

static bool is_cut(struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_pausing *p = rsp_pausing_of_tid(m, t->tid);
	const struct rsp_span *last = rsp_span_last(t);

	return last && last->kind == RSP_SPAN_UNEXPLAINED && last->from_ns >= p->paused_ns &&
	       last->from_ns <= p->resumed_ns;
}

static bool is_turn_cut(struct rsp_model *m, const struct rsp_cpu *cpu)
{
	const struct rsp_pausing *p = rsp_pausing_of_cpu(m, (size_t)(cpu - m->cpus.v));
	const struct rsp_turn *turn = rsp_turn_last(cpu);

	return turn && turn->thread == RSP_NO_THREAD && turn->from_ns == p->paused_ns;
}

/* --- into a pause ----------------------------------------------------------------------------- */

/*
 * The last switch of a dying thread is not recorded in a pause, so its life ends at its EXIT
 * record.
 */
static int cut_thread(const struct rsp_pausing *p, struct rsp_thread *t)
{
	struct rsp_span *last = rsp_span_last(t);

	if (t->end_ns != UINT64_MAX)
		return 0;
	if (t->exit_ns && t->exit_ns <= p->resumed_ns)
		t->end_ns = t->exit_ns > p->paused_ns ? t->exit_ns : p->paused_ns;
	t->early = NULL;
	t->last_run = RSP_NO_THREAD;
	if (!last || t->end_ns <= p->paused_ns)
		return 0;
	if (last->from_ns >= p->paused_ns) {
		last->kind = RSP_SPAN_UNEXPLAINED;
		return 0;
	}
	return rsp_span_begin(t, RSP_SPAN_UNEXPLAINED, p->paused_ns, NULL) ? 0 : -ENOMEM;
}

static int pass(struct rsp_model *m, __u32 host, const struct rsp_gap *pause)
{
	struct rsp_pausing *p = &m->pausing[host];
	int r = 0;

	if (pause->to_ns <= m->start_ns)
		return 0;
	p->paused_ns = pause->from_ns > m->start_ns ? pause->from_ns : m->start_ns;
	p->resumed_ns = pause->to_ns;
	for (size_t i = 0; i < m->threads.cnt && r == 0; i++)
		if (rsp_pausing_of_tid(m, m->threads.v[i].tid) == p)
			r = cut_thread(p, &m->threads.v[i]);
	for (size_t i = 0; i < m->cpus.cnt && r == 0; i++)
		if (host_of_cpu(m, i) == host)
			r = rsp_turn_begin(&m->cpus.v[i], RSP_NO_THREAD, p->paused_ns);
	return r;
}

int rsp_model_pass_pauses(struct rsp_model *m, __u64 ts_ns)
{
	__u32 host_cnt = m->trace->snap->meta.host_cnt;
	int r = 0;

	for (__u32 host = 0; host == 0 || host < host_cnt; host++) {
		struct rsp_pausing *p = &m->pausing[host];

		while (r == 0 && p->passed_cnt < p->pauses.cnt &&
		       p->pauses.v[p->passed_cnt].to_ns <= ts_ns)
			r = pass(m, host, &p->pauses.v[p->passed_cnt++]);
	}
	return r;
}

bool rsp_model_is_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_pausing *p = rsp_pausing_of_cpu(m, hdr->cpu);

	return p->passed_cnt < p->pauses.cnt && p->pauses.v[p->passed_cnt].from_ns < hdr->ts_ns;
}

/* --- within a pause --------------------------------------------------------------------------- */

static __u64 pause_from_ns(struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_pausing *p = rsp_pausing_of_tid(m, t->tid);
	__u64 from_ns = p->passed_cnt < p->pauses.cnt ? p->pauses.v[p->passed_cnt].from_ns : 0;

	return from_ns > m->start_ns ? from_ns : m->start_ns;
}

/*
 * The state before the wait is known only until the beginning of the pause, or until an earlier
 * wakeup within the pause.
 */
static int begin_wait(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_switch *out,
		      __u64 from_ns)
{
	struct rsp_span *last = rsp_span_last(t);
	__u64 known_ns = pause_from_ns(m, t);

	if (last && last->from_ns >= known_ns) {
		known_ns = last->from_ns;
		last->kind = RSP_SPAN_UNEXPLAINED;
	}
	if (from_ns < known_ns)
		from_ns = known_ns;
	if (last && last->from_ns == from_ns)
		t->spans.cnt--;
	else if (last && last->from_ns < known_ns && known_ns < from_ns &&
		 !rsp_span_begin(t, RSP_SPAN_UNEXPLAINED, known_ns, NULL))
		return -ENOMEM;
	return rsp_span_begin(t, RSP_SPAN_BLOCKED, from_ns, out) ? 0 : -ENOMEM;
}

static bool still_waits(struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_span *last = rsp_span_last(t);

	return last && last->kind == RSP_SPAN_BLOCKED && last->from_ns < pause_from_ns(m, t);
}

void rsp_wait_extend(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev)
{
	struct rsp_span *wait = rsp_span_last(t), *before = wait - 1;
	__u64 slept_ns = ev->slept_us * 1000ULL, from_ns = ev->hdr.ts_ns - slept_ns;

	if (!slept_ns || slept_ns > ev->hdr.ts_ns || from_ns >= wait->from_ns || t->spans.cnt < 2)
		return;
	if (before->kind != RSP_SPAN_UNEXPLAINED ||
	    !rsp_gap_overlaps(&rsp_pausing_of_tid(m, t->tid)->pauses, wait->from_ns - 1,
			      wait->from_ns - 1))
		return;
	wait->from_ns = from_ns > before->from_ns ? from_ns : before->from_ns;
	if (wait->from_ns > before->from_ns)
		return;
	*before = *wait;
	t->spans.cnt--;
}

/* The state of the thread after the wakeup is unknown. */
static int end_wait(struct rsp_model *m, const struct rsp_ev_waking *ev)
{
	__u64 slept_ns = ev->slept_us * 1000ULL, ts_ns = ev->hdr.ts_ns;
	const struct rsp_ev_switch *out;
	struct rsp_thread *t;
	__u32 i;
	int r = 0;

	if (rsp_model_waking_threads(m, ev, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	out = t->slept && t->slept->hdr.ts_ns == ts_ns ? t->slept : NULL;
	t->slept = NULL;
	if (ev->hdr.flags & RSP_WK_SAME ? !still_waits(m, t) : !out || slept_ns > ts_ns)
		return 0;
	if (out)
		r = begin_wait(m, t, out, ts_ns - slept_ns);
	else
		rsp_wait_extend(m, t, ev);
	if (r == 0)
		r = rsp_wait_end(m, t, ev);
	if (r == 0 && !rsp_span_begin(t, RSP_SPAN_UNEXPLAINED, ts_ns, NULL))
		r = -ENOMEM;
	return r;
}

static int note_wait(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	__u32 i;

	if (rsp_model_thread(m, ev->prev_tid, &i) < 0)
		return -ENOMEM;
	m->threads.v[i].slept = ev;
	return 0;
}

int rsp_model_wait_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_waking *waking = (const void *)hdr;
	const struct rsp_ev_switch *sw = (const void *)hdr;

	if (hdr->kind == RSP_EV_SWITCH && hdr->flags & RSP_SW_SEED && sw->prev_tid)
		return note_wait(m, sw);
	if (hdr->kind == RSP_EV_WAKING && hdr->flags & RSP_WK_PAUSED && waking->wakee_tid)
		return end_wait(m, waking);
	return 0;
}

/* --- out of a pause --------------------------------------------------------------------------- */

bool rsp_cpu_is_fresh(struct rsp_model *m, const struct rsp_cpu *cpu, const struct rsp_thread *t)
{
	return rsp_pausing_of_tid(m, t->tid)->resumed_ns && is_turn_cut(m, cpu) &&
	       (!t->spans.cnt || is_cut(m, t));
}

/* Continues the run from before the pause, if no other thread was seen on the CPU since then. */
static bool go_on_running(struct rsp_model *m, struct rsp_thread *t)
{
	const struct rsp_span *run = t->spans.cnt > 1 ? &t->spans.v[t->spans.cnt - 2] : NULL;
	struct rsp_cpu *cpu;

	if (!run || run->kind != RSP_SPAN_RUN || t->cpu >= m->cpus.cnt)
		return false;
	cpu = &m->cpus.v[t->cpu];
	if (!is_turn_cut(m, cpu) || cpu->turns.cnt < 2 ||
	    cpu->turns.v[cpu->turns.cnt - 2].thread != (__u32)(t - m->threads.v))
		return false;
	cpu->turns.cnt--;
	t->spans.cnt--;
	t->last_run = (__u32)(t->spans.cnt - 1);
	return true;
}

static bool go_on_waiting(struct rsp_thread *t)
{
	const struct rsp_span *wait = t->spans.cnt > 1 ? &t->spans.v[t->spans.cnt - 2] : NULL;

	if (!wait || wait->kind != RSP_SPAN_BLOCKED || wait->waking)
		return false;
	t->spans.cnt--;
	return true;
}

static bool go_on(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_switch *ev)
{
	return ev->prev_state ? go_on_waiting(t) : go_on_running(m, t);
}

int rsp_model_seed_again(struct rsp_model *m, const struct rsp_ev_switch *ev)
{
	bool is_runnable = ev->hdr.flags & RSP_SW_PREEMPTED;
	struct rsp_thread *t;
	__u32 i;

	if (!rsp_cpu_get(m, ev->hdr.cpu) || rsp_model_thread(m, ev->prev_tid, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	if (t->spans.cnt && !is_cut(m, t))
		return 0; /* newer records have already shown the thread's state */
	if (ev->hdr.flags & RSP_SW_SAME && is_cut(m, t) && go_on(m, t, ev))
		return 0;
	if (!is_runnable && !ev->prev_state)
		return 0; /* the thread is on a CPU; the next record of this CPU shows it */
	return rsp_span_begin(t, is_runnable ? RSP_SPAN_RUNNABLE : RSP_SPAN_BLOCKED,
			      rsp_pausing_of_tid(m, t->tid)->resumed_ns, is_runnable ? NULL : ev)
		       ? 0
		       : -ENOMEM;
}
