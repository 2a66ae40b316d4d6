/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns records into spans of threads, in order of time. switches.c, lives.c and ops.c handle the
 * records that change the states of threads.
 */
#include "lib/model/model.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/model/model-parts.h"
#include "lib/model/skew.h"

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
	    ev->hdr.ts_ns - rsp_span_end(t, t->last_run) > RSP_SWITCH_GRACE_NS)
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

static int on_work(struct rsp_model *m, const struct rsp_ev_work *ev)
{
	__u32 queuer = RSP_NO_THREAD, worker;
	struct rsp_work *work;

	if (ev->context == RSP_WAKE_TASK && ev->queuer_tid)
		queuer = known_thread(m, ev->queuer_tid);
	if (rsp_model_thread(m, ev->worker_tid, &worker) < 0)
		return -ENOMEM;
	work = rsp_array_add(&m->threads.v[worker].works);
	if (!work)
		return -ENOMEM;
	*work = (struct rsp_work){ev, queuer};
	return 0;
}

__u32 rsp_work_at(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t lo = 0, hi = t->works.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->works.v[mid].ev->hdr.ts_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? (__u32)(lo - 1) : RSP_NO_WORK;
}

static int on_reclaim(struct rsp_model *m, const struct rsp_ev_delay *ev)
{
	struct rsp_reclaim *reclaim;
	__u32 thread;

	if (!ev->tid || ev->from_ns >= ev->hdr.ts_ns)
		return 0;
	if (rsp_model_thread(m, ev->tid, &thread) < 0)
		return -ENOMEM;
	reclaim = rsp_array_add(&m->threads.v[thread].reclaims);
	if (!reclaim)
		return -ENOMEM;
	reclaim->ev = ev;
	return 0;
}

static int on_delay(struct rsp_model *m, const struct rsp_ev_delay *ev)
{
	return ev->hdr.flags == RSP_DELAY_RECLAIM ? on_reclaim(m, ev)
						  : rsp_ops_delay(&m->ops, m->trace, ev);
}

size_t rsp_reclaim_after(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t lo = 0, hi = t->reclaims.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->reclaims.v[mid].ev->hdr.ts_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int on_block(struct rsp_model *m, const struct rsp_ev_block *ev)
{
	return rsp_ops_block(&m->ops, ev, known_thread(m, ev->tid));
}

static int on_net(struct rsp_model *m, const struct rsp_ev_net *ev)
{
	int r = rsp_ops_net(&m->ops, m->trace, ev, known_thread(m, ev->tid));

	return r < 0 ? r : rsp_request_net(m, ev);
}

/* Finds the thread that was on the CPU. Returns false if the record does not contain it. */
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
	case RSP_EV_WORK:
		*ret = ((const struct rsp_ev_work *)ev)->worker_tid;
		return true;
	case RSP_EV_DELAY:
		*ret = ((const struct rsp_ev_delay *)ev)->tid;
		return true;
	case RSP_EV_EXIT:
		*ret = ((const struct rsp_ev_exit *)ev)->tid;
		/* in an exec, the thread on the CPU already has another tid than the record */
		return !(hdr->flags & RSP_EXIT_EXEC);
	}
	return false;
}

/*
 * A record right after a switch does not count, because an interrupt may still find the previous
 * thread.
 */
static int note_current(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_turn *turn;
	const struct rsp_cpu *cpu;
	__u32 tid;

	if (!current_of(hdr, &tid))
		return 0;
	cpu = rsp_cpu_get(m, hdr->cpu);
	if (!cpu)
		return -ENOMEM;
	turn = rsp_turn_last(cpu);
	if (turn && hdr->ts_ns - turn->from_ns <= RSP_SWITCH_GRACE_NS)
		return 0;
	return rsp_cpu_seen_running(m, hdr->cpu, tid, hdr->ts_ns);
}

/*
 * Records of these kinds are mostly ignored within a pause. The recorder attaches and detaches its
 * BPF programs one by one, so some of them miss events at the edges of a pause.
 */
static bool is_of_a_state(__u16 kind)
{
	return kind == RSP_EV_SWITCH || kind == RSP_EV_WAKING || kind == RSP_EV_SAMPLE ||
	       kind == RSP_EV_WORK;
}

static int on_event(struct rsp_model *m, const struct rsp_ev_hdr *hdr)
{
	const void *ev = hdr;
	int r = rsp_model_pass_pauses(m, hdr->ts_ns);

	if (r == 0 && rsp_model_is_paused(m, hdr)) {
		if (is_of_a_state(hdr->kind))
			return rsp_model_wait_paused(m, hdr);
	} else if (r == 0) {
		r = note_current(m, hdr);
	}
	if (r < 0)
		return r;
	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return hdr->flags & RSP_SW_SEED ? rsp_model_seed(m, ev) : rsp_model_switch(m, ev);
	case RSP_EV_WAKING:
		return rsp_model_waking(m, ev);
	case RSP_EV_SAMPLE:
		return on_sample(m, ev);
	case RSP_EV_BLOCK:
		return on_block(m, ev);
	case RSP_EV_NET:
		return on_net(m, ev);
	case RSP_EV_WORK:
		return on_work(m, ev);
	case RSP_EV_DELAY:
		return on_delay(m, ev);
	case RSP_EV_TASK:
		return rsp_model_task(m, ev);
	case RSP_EV_EXIT:
		return rsp_model_exit(m, ev);
	}
	return 0;
}

/* --- all together --------------------------------------------------------------------------- */

static void set_bounds(struct rsp_model *m)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;

	m->since_ns = meta->since_ns ? meta->since_ns : m->trace->first_ns;
	m->until_ns = meta->until_ns ? meta->until_ns : m->trace->last_ns;
	if (m->until_ns < m->since_ns)
		m->until_ns = m->since_ns;
	m->start_ns = meta->window_oldest_ns ? meta->window_oldest_ns : m->trace->first_ns;
}

static void number_spans(struct rsp_model *m)
{
	for (size_t i = 0; i < m->threads.cnt; i++) {
		m->threads.v[i].first_span = m->span_cnt;
		m->span_cnt += m->threads.v[i].spans.cnt;
		m->threads.v[i].first_sample = m->sample_cnt;
		m->sample_cnt += m->threads.v[i].samples.cnt;
	}
}

static int make_model(const struct rsp_trace *trace, const struct rsp_idmap *callers,
		      struct rsp_model **ret)
{
	struct rsp_model *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return -ENOMEM;
	m->trace = trace;
	m->request_tid = trace->snap->meta.target_tid;
	m->callers = callers;
	set_bounds(m);
	r = rsp_model_find_gaps(m);
	for (size_t i = 0; i < trace->event_cnt && r == 0; i++)
		r = on_event(m, trace->events[i]);
	if (r == 0)
		r = rsp_model_pass_pauses(m, UINT64_MAX);
	if (r < 0) {
		rsp_model_free(m);
		return r;
	}
	if (!callers)
		rsp_request_find(m);
	number_spans(m);
	rsp_model_find_clients(m);
	*ret = m;
	return 0;
}

int rsp_model_new(const struct rsp_trace *trace, struct rsp_model **ret)
{
	return make_model(trace, NULL, ret);
}

int rsp_model_new_trips(const struct rsp_trace *trace, const struct rsp_idmap *callers,
			struct rsp_model **ret)
{
	return make_model(trace, callers, ret);
}

int rsp_model_requests(const struct rsp_model *m, struct rsp_requests *ret)
{
	__u64 since_ns = m->since_ns > m->start_ns ? m->since_ns : m->start_ns;

	if (since_ns > m->until_ns)
		since_ns = m->until_ns;
	return rsp_requests_find(m->trace, since_ns, m->until_ns, ret);
}

int rsp_model_keep_requests(struct rsp_model *m)
{
	int r;

	m->requests = calloc(1, sizeof(*m->requests));
	if (!m->requests)
		return -ENOMEM;
	r = rsp_model_requests(m, m->requests);
	if (r < 0) {
		free(m->requests);
		m->requests = NULL;
	}
	return r == 0 && !m->ends ? rsp_model_ends_new(m, &m->ends) : r;
}

static void drop_requests(struct rsp_model *m)
{
	if (m->requests)
		rsp_requests_done(m->requests);
	free(m->requests);
	m->requests = NULL;
}

void rsp_model_choose_span(struct rsp_model *m, __u64 since_ns, __u64 until_ns)
{
	m->since_ns = since_ns;
	m->until_ns = until_ns;
	drop_requests(m);
}

struct rsp_model *rsp_model_free(struct rsp_model *m)
{
	if (!m)
		return NULL;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		free(m->threads.v[i].spans.v);
		free(m->threads.v[i].samples.v);
		free(m->threads.v[i].works.v);
		free(m->threads.v[i].reclaims.v);
	}
	free(m->threads.v);
	free(m->ended.v);
	free(m->gaps.v);
	free(m->blackouts.v);
	free(m->pauses.v);
	free(m->requested.v);
	for (size_t i = 0; i < RSP_HOST_CNT_MAX; i++)
		free(m->pausing[i].pauses.v);
	for (size_t i = 0; i < m->cpus.cnt; i++) {
		free(m->cpus.v[i].turns.v);
		free(m->cpus.v[i].blackouts.v);
	}
	free(m->cpus.v);
	rsp_ops_done(&m->ops);
	rsp_idmap_done(&m->thread_of);
	rsp_idmap_done(&m->trip_request_of);
	free(m->trip_requests.v);
	drop_requests(m);
	rsp_model_ends_free(m->ends);
	free(m->trips.v);
	free(m);
	return NULL;
}
