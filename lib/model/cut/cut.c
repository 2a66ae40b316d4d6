/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See cut.h. rsp_cut() explains the process of interest, then all processes of the user at once,
 * marks the spans, turns and requests that the explanations use (used.h), and keeps their records.
 */
#include "lib/model/cut/cut.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/model/cut/cut-names.h"
#include "lib/model/explain/explain.h"
#include "lib/model/skew.h"
#include "lib/model/waits/used.h"
#include "lib/snapshot/owner.h"

#define CHUNK_BYTES ((size_t)1 << 20)

enum keep {
	KEEP_PREV = 1 << 0, /* keep the thread that leaves the CPU in a switch */
	/* keep the thread that gets the CPU in a switch; other records: keep the whole record */
	KEEP_NEXT = 1 << 1,
	KEEP_TURN = 1 << 2, /* keep the fact that a thread leaves the CPU in a switch */
};

struct cut {
	const struct rsp_model *model;
	struct rsp_used *used;
	__u8 *keep; /* [index of an event in the trace]: flags of enum keep */
	/* [thread]: the previous life of its tid, or RSP_NO_THREAD */
	__u32 *older;
	bool *begun;		 /* [thread]: whether a kept record shows that the thread runs */
	struct rsp_idmap newest; /* tid -> its newest life */
	struct rsp_idmap tids;	 /* the tids that kept records name */
};

/* --- threads --------------------------------------------------------------------------------- */

static bool is_own(const struct rsp_ev_task *task)
{
	return task && rsp_task_is_open(task);
}

static bool owns(const struct cut *c, __u32 tid, __u64 ts_ns)
{
	return tid && is_own(rsp_trace_task(c->model->trace, tid, ts_ns));
}

static int index_lives(struct cut *c)
{
	const struct rsp_model *m = c->model;

	for (__u32 i = 0; i < m->threads.cnt; i++) {
		uint64_t older = RSP_NO_THREAD;

		rsp_idmap_get(&c->newest, m->threads.v[i].tid, &older);
		c->older[i] = (__u32)older;
		if (rsp_idmap_put(&c->newest, m->threads.v[i].tid, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static __u32 thread_at(const struct cut *c, __u32 tid, __u64 ts_ns)
{
	const struct rsp_thread *threads = c->model->threads.v;
	uint64_t i = RSP_NO_THREAD;

	rsp_idmap_get(&c->newest, tid, &i);
	while (i != RSP_NO_THREAD &&
	       (!threads[i].spans.cnt || threads[i].spans.v[0].from_ns > ts_ns))
		i = c->older[i];
	return (__u32)i;
}

static bool is_used(const struct cut *c, __u32 tid, __u64 ts_ns)
{
	__u32 thread = tid ? thread_at(c, tid, ts_ns) : RSP_NO_THREAD;
	const struct rsp_thread *t;

	if (thread == RSP_NO_THREAD)
		return false;
	t = &c->model->threads.v[thread];
	return ts_ns <= t->end_ns && c->used->spans[t->first_span + rsp_span_at(t, ts_ns)];
}

/* A record may contain a CPU that the model does not have. */
static bool is_used_turn(const struct cut *c, __u32 cpu, __u64 ts_ns)
{
	const struct rsp_cpu *where = cpu < c->model->cpus.cnt ? &c->model->cpus.v[cpu] : NULL;
	size_t i = where ? rsp_turn_near(where, ts_ns, where->turns.cnt / 2) : 0;

	return where && i < where->turns.cnt && c->used->turns[cpu][i];
}

/* --- events by time -------------------------------------------------------------------------- */

static size_t first_at(const struct cut *c, __u64 ts_ns)
{
	const struct rsp_trace *trace = c->model->trace;
	size_t lo = 0, hi = trace->event_cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (trace->events[mid]->ts_ns < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

#define for_each_at(c, i, at_ns)                                                                   \
	for ((i) = first_at((c), (at_ns));                                                         \
	     (i) < (c)->model->trace->event_cnt && (c)->model->trace->events[i]->ts_ns == (at_ns); \
	     (i)++)

/*
 * Returns the record's field for the thread that ran when the record was written, or NULL. 0 in the
 * field: the idle task ran, or the thread was left out.
 */
static __u32 *current_of(struct rsp_ev_hdr *hdr)
{
	void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_WAKING:
		return &((struct rsp_ev_waking *)ev)->waker_tid;
	case RSP_EV_SAMPLE:
		return &((struct rsp_ev_sample *)ev)->tid;
	case RSP_EV_BLOCK:
		return &((struct rsp_ev_block *)ev)->tid;
	case RSP_EV_IRQ:
		return &((struct rsp_ev_irq *)ev)->tid;
	case RSP_EV_NET:
		return &((struct rsp_ev_net *)ev)->tid;
	case RSP_EV_WORK:
		return &((struct rsp_ev_work *)ev)->worker_tid;
	case RSP_EV_DELAY:
		return &((struct rsp_ev_delay *)ev)->tid;
	case RSP_EV_EXIT:
		return &((struct rsp_ev_exit *)ev)->tid;
	}
	return NULL;
}

static __u32 tid_of(const struct rsp_ev_hdr *hdr)
{
	const __u32 *tid = current_of((struct rsp_ev_hdr *)hdr);

	return tid ? *tid : 0;
}

/*
 * Returns whether the record shows the thread that ran on the record's CPU. A NET record does not.
 */
static bool shows_current(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind != RSP_EV_NET && current_of((struct rsp_ev_hdr *)hdr);
}

static enum keep concerns(const struct rsp_ev_hdr *hdr, __u32 tid)
{
	const struct rsp_ev_switch *sw = (const void *)hdr;
	unsigned int keep = 0;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		keep |= sw->prev_tid == tid ? KEEP_PREV : 0;
		keep |= sw->next_tid == tid ? KEEP_NEXT : 0;
		return keep;
	case RSP_EV_WAKING:
		if (((const struct rsp_ev_waking *)hdr)->wakee_tid == tid)
			return KEEP_NEXT;
		break;
	}
	return shows_current(hdr) && tid_of(hdr) == tid ? KEEP_NEXT : 0;
}

static void keep_at(struct cut *c, __u64 ts_ns, __u32 tid)
{
	size_t i;

	for_each_at(c, i, ts_ns) c->keep[i] |= concerns(c->model->trace->events[i], tid);
}

/* --- spans ----------------------------------------------------------------------------------- */

/* Keeps a wakeup that came before the switch, because the thread was woken on its way to sleep. */
static void keep_early_wakeup(struct cut *c, const struct rsp_thread *t, __u64 ts_ns)
{
	const struct rsp_trace *trace = c->model->trace;

	for (size_t i = first_at(c, ts_ns); i-- > 0;) {
		const struct rsp_ev_waking *waking = (const void *)trace->events[i];

		if (ts_ns - trace->events[i]->ts_ns > RSP_EARLY_WAKEUP_NS)
			return;
		if (waking->hdr.kind != RSP_EV_WAKING || waking->wakee_tid != t->tid)
			continue;
		c->keep[i] |= KEEP_NEXT;
		return;
	}
}

/* Marks turns that prove a contradiction between the records of a thread. */
static void use_turns_around(struct cut *c, const struct rsp_thread *t, __u64 from_ns,
			     __u64 seen_ns)
{
	const struct rsp_model *m = c->model;
	size_t i;

	for_each_at(c, i, seen_ns)
	{
		const struct rsp_ev_hdr *hdr = m->trace->events[i];
		const struct rsp_cpu *cpu = hdr->cpu < m->cpus.cnt ? &m->cpus.v[hdr->cpu] : NULL;

		if (cpu && cpu->turns.cnt && concerns(hdr, t->tid))
			rsp_used_turn(c->used, hdr->cpu,
				      rsp_turn_near(cpu, from_ns, cpu->turns.cnt / 2));
	}
}

/* The model finds the cause of a wait for a disk by these requests, so they are used, too. */
static void use_disk_wait(struct cut *c, const struct rsp_span *span)
{
	const struct rsp_ops *ops = &c->model->ops;
	const struct rsp_request *requests[RSP_IN_FLIGHT_MAX];
	size_t cnt = rsp_ops_in_flight(ops, &ops->disk_waits.v[span->cause_id], requests,
				       RSP_IN_FLIGHT_MAX);

	for (size_t i = 0; i < cnt; i++)
		rsp_used_request(c->used, (__u32)(requests[i] - ops->requests.v));
}

static void keep_span(struct cut *c, const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *span = &t->spans.v[i];
	__u64 end_ns = rsp_span_end(t, i);

	keep_at(c, span->from_ns, t->tid);
	if (end_ns != UINT64_MAX)
		keep_at(c, end_ns, t->tid);
	/* span->out is later than from_ns if the thread was already asleep at the census */
	if (span->out)
		keep_at(c, span->out->hdr.ts_ns, t->tid);
	if (span->kind == RSP_SPAN_RUNNABLE && span->out && span->out->hdr.ts_ns == span->from_ns)
		keep_early_wakeup(c, t, span->from_ns);
	if (span->kind == RSP_SPAN_BLOCKED && span->cause == RSP_CAUSE_DISK)
		use_disk_wait(c, span);
	if (span->kind != RSP_SPAN_UNEXPLAINED)
		return;
	use_turns_around(c, t, span->from_ns, span->from_ns);
	use_turns_around(c, t, span->from_ns, end_ns);
}

static void keep_work(struct cut *c, const struct rsp_thread *t, __u64 ts_ns)
{
	__u32 work = rsp_work_at(t, ts_ns);

	if (work != RSP_NO_WORK)
		keep_at(c, t->works.v[work].ev->hdr.ts_ns, t->tid);
}

static void keep_spans(struct cut *c, __u32 thread)
{
	const struct rsp_thread *t = &c->model->threads.v[thread];
	bool any = false;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		if (!c->used->spans[t->first_span + i])
			continue;
		any = true;
		keep_span(c, t, i);
		keep_work(c, t, t->spans.v[i].from_ns);
		keep_work(c, t, rsp_span_end(t, i));
	}
	if (any && t->end_ns != UINT64_MAX)
		keep_at(c, t->end_ns, t->tid);
}

/* --- turns and requests ---------------------------------------------------------------------- */

static void keep_turn(struct cut *c, __u16 cpu, __u64 ts_ns, unsigned int keep)
{
	size_t i;

	for_each_at(c, i, ts_ns)
	{
		const struct rsp_ev_hdr *hdr = c->model->trace->events[i];

		if (hdr->cpu != cpu)
			continue;
		if (hdr->kind == RSP_EV_SWITCH && !(hdr->flags & RSP_SW_SEED))
			c->keep[i] |= keep;
		else if (keep & KEEP_NEXT && shows_current(hdr))
			c->keep[i] |= KEEP_NEXT;
	}
}

static void keep_turns(struct cut *c)
{
	const struct rsp_model *m = c->model;

	for (size_t cpu = 0; cpu < m->cpus.cnt; cpu++) {
		const struct rsp_cpu *where = &m->cpus.v[cpu];

		for (size_t i = 0; i < where->turns.cnt; i++) {
			if (!c->used->turns[cpu][i])
				continue;
			keep_turn(c, (__u16)cpu, where->turns.v[i].from_ns, KEEP_NEXT);
			if (i + 1 < where->turns.cnt)
				keep_turn(c, (__u16)cpu, where->turns.v[i + 1].from_ns, KEEP_TURN);
		}
	}
}

static void keep_step(struct cut *c, __u64 ts_ns, const struct rsp_request *req, __u16 flag)
{
	size_t i;

	for_each_at(c, i, ts_ns)
	{
		const struct rsp_ev_block *block = (const void *)c->model->trace->events[i];

		if (block->hdr.kind == RSP_EV_BLOCK && block->dev == req->dev &&
		    block->hdr.flags & flag)
			c->keep[i] |= KEEP_NEXT;
	}
}

static void keep_delay(struct cut *c, const struct rsp_ev_delay *delay)
{
	size_t i;

	for_each_at(c, i, delay->hdr.ts_ns)
	{
		if (c->model->trace->events[i] == &delay->hdr)
			c->keep[i] |= KEEP_NEXT;
	}
}

static void keep_requests(struct cut *c)
{
	const struct rsp_ops *ops = &c->model->ops;

	for (size_t i = 0; i < ops->requests.cnt; i++) {
		const struct rsp_request *req = &ops->requests.v[i];

		if (!c->used->requests[i])
			continue;
		keep_step(c, req->insert_ns, req, RSP_BLK_INSERT);
		keep_step(c, req->issue_ns, req, RSP_BLK_ISSUE);
		keep_step(c, req->done_ns, req, RSP_BLK_COMPLETE);
		if (req->held)
			keep_delay(c, req->held);
	}
}

/* --- threads of the user --------------------------------------------------------------------- */

static void use_own_spans(struct cut *c, __u32 thread)
{
	const struct rsp_thread *t = &c->model->threads.v[thread];

	for (size_t i = 0; i < t->spans.cnt; i++)
		if (is_own(rsp_thread_task(c->model, t, t->spans.v[i].from_ns)))
			rsp_used_span(c->used, thread, i);
}

static void use_own_requests(struct cut *c)
{
	const struct rsp_model *m = c->model;

	for (__u32 i = 0; i < m->ops.requests.cnt; i++) {
		const struct rsp_request *req = &m->ops.requests.v[i];
		__u64 ts_ns = req->insert_ns ? req->insert_ns : req->issue_ns;

		if (req->issuer != RSP_NO_THREAD && owns(c, m->threads.v[req->issuer].tid, ts_ns))
			rsp_used_request(c->used, i);
	}
}

static unsigned int keep_of_waking(const struct cut *c, const struct rsp_ev_waking *waking)
{
	if (owns(c, waking->wakee_tid, waking->hdr.ts_ns))
		return KEEP_NEXT;
	return waking->context == RSP_WAKE_TASK && owns(c, waking->waker_tid, waking->hdr.ts_ns)
		       ? KEEP_NEXT
		       : 0;
}

/* A sample may be recorded shortly after its run. */
static unsigned int keep_of_sample(const struct cut *c, const struct rsp_ev_sample *sample)
{
	__u64 ts_ns = sample->hdr.ts_ns;

	return is_used(c, sample->tid, ts_ns) ||
			       is_used(c, sample->tid, ts_ns - RSP_SWITCH_GRACE_NS)
		       ? KEEP_NEXT
		       : 0;
}

static unsigned int keep_of_work(const struct cut *c, const struct rsp_ev_work *work)
{
	if (is_used(c, work->worker_tid, work->hdr.ts_ns))
		return KEEP_NEXT;
	return work->context == RSP_WAKE_TASK && owns(c, work->queuer_tid, work->hdr.ts_ns)
		       ? KEEP_NEXT
		       : 0;
}

/* The record that first shows a thread on a CPU may be of any kind. */
static bool shows_first(struct cut *c, const struct rsp_ev_hdr *hdr)
{
	__u32 tid = shows_current(hdr) ? tid_of(hdr) : 0;
	__u32 thread = tid ? thread_at(c, tid, hdr->ts_ns) : RSP_NO_THREAD;

	if (thread == RSP_NO_THREAD || c->begun[thread] || !is_used(c, tid, hdr->ts_ns))
		return false;
	c->begun[thread] = true;
	return rsp_span_at(&c->model->threads.v[thread], hdr->ts_ns) == 0;
}

static unsigned int keep_of(struct cut *c, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_switch *sw = (const void *)hdr;
	const struct rsp_ev_irq *irq = (const void *)hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		if (hdr->flags & RSP_SW_SAME && is_used(c, sw->prev_tid, hdr->ts_ns))
			return KEEP_PREV;
		return (owns(c, sw->prev_tid, hdr->ts_ns) ? KEEP_PREV : 0) |
		       (owns(c, sw->next_tid, hdr->ts_ns) ? KEEP_NEXT : 0);
	case RSP_EV_WAKING:
		return keep_of_waking(c, (const void *)hdr);
	case RSP_EV_SAMPLE:
		return keep_of_sample(c, (const void *)hdr);
	case RSP_EV_WORK:
		return keep_of_work(c, (const void *)hdr);
	case RSP_EV_IRQ:
		return owns(c, irq->tid, hdr->ts_ns) ? KEEP_NEXT : 0;
	case RSP_EV_DELAY: /* keep_requests() decides about the delays of disk requests */
		return hdr->flags == RSP_DELAY_IO_LIMIT ? 0 : KEEP_NEXT;
	case RSP_EV_NET:
	case RSP_EV_LOST:
	case RSP_EV_ACCOUNT:
	case RSP_EV_CALLS:
	case RSP_EV_CPU_TIME:
	case RSP_EV_MEMORY:
	case RSP_EV_MEMORY_WATCH:
	case RSP_EV_STOLEN:
		return KEEP_NEXT; /* redaction has already removed the connections of other users */
	}
	return 0;
}

static void keep_own(struct cut *c)
{
	const struct rsp_trace *trace = c->model->trace;

	for (size_t i = 0; i < trace->event_cnt; i++) {
		c->keep[i] |= keep_of(c, trace->events[i]);
		if (shows_first(c, trace->events[i]))
			c->keep[i] |= KEEP_NEXT;
	}
}

static void decide(struct cut *c)
{
	for (__u32 i = 0; i < c->model->threads.cnt; i++)
		use_own_spans(c, i);
	use_own_requests(c);
	for (__u32 i = 0; i < c->model->threads.cnt; i++)
		keep_spans(c, i);
	keep_turns(c);
	keep_requests(c);
	keep_own(c);
}

/* --- records that are kept ------------------------------------------------------------------- */

static void leave_prev_out(struct rsp_ev_switch *sw, unsigned int keep)
{
	sw->hdr.flags &= RSP_SW_CARRIED;
	sw->hdr.flags |= RSP_SW_PREEMPTED;
	sw->prev_state = 0;
	sw->syscall_nr = -1;
	sw->object = sw->kstack = sw->ustack = 0;
	if (!(keep & KEEP_TURN))
		sw->prev_tid = 0;
}

static void leave_out(const struct cut *c, struct rsp_ev_hdr *hdr, unsigned int keep)
{
	struct rsp_ev_switch *sw = (void *)hdr;
	struct rsp_ev_waking *waking = (void *)hdr;
	__u32 *tid = current_of(hdr);

	if (hdr->kind == RSP_EV_SWITCH) {
		if (!(keep & KEEP_PREV))
			leave_prev_out(sw, keep);
		if (!(keep & KEEP_NEXT))
			sw->next_tid = 0;
		return;
	}
	if (hdr->kind == RSP_EV_WAKING && waking->context == RSP_WAKE_TASK)
		return;
	if (hdr->kind == RSP_EV_NET && hdr->flags & (RSP_NET_SEND | RSP_NET_CONNECT))
		return;
	if (hdr->kind == RSP_EV_BLOCK && hdr->flags & (RSP_BLK_INSERT | RSP_BLK_ISSUE))
		return;
	if (hdr->kind != RSP_EV_NET && hdr->kind != RSP_EV_BLOCK && hdr->kind != RSP_EV_WAKING &&
	    hdr->kind != RSP_EV_DELAY)
		return;
	if (!is_used(c, *tid, hdr->ts_ns) && !is_used_turn(c, hdr->cpu, hdr->ts_ns))
		*tid = 0;
}

static int name(struct cut *c, __u32 tid)
{
	return tid ? rsp_idmap_put(&c->tids, tid, 0) : 0;
}

static int name_all(struct cut *c, struct rsp_ev_hdr *hdr)
{
	const void *ev = hdr;
	const struct rsp_ev_switch *sw = ev;
	const struct rsp_ev_waking *waking = ev;
	const struct rsp_ev_work *work = ev;
	int r = name(c, tid_of(hdr));

	if (r == 0 && hdr->kind == RSP_EV_SWITCH)
		r = name(c, sw->prev_tid);
	if (r == 0 && hdr->kind == RSP_EV_SWITCH)
		r = name(c, sw->next_tid);
	if (r == 0 && hdr->kind == RSP_EV_WAKING)
		r = name(c, waking->wakee_tid);
	if (r == 0 && hdr->kind == RSP_EV_WORK)
		r = name(c, work->queuer_tid);
	return r;
}

static bool is_named(const struct cut *c, __u32 tid)
{
	return rsp_idmap_get(&c->tids, tid, &(uint64_t){0});
}

/*
 * Returns whether to keep a TASK or EXIT record. The TASK record of a new thread is also kept if
 * the explanations use the parent at this time.
 */
static bool keeps_identity(const struct cut *c, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_task *task = (const void *)hdr;

	if (hdr->kind == RSP_EV_EXIT)
		return is_named(c, tid_of(hdr)) || owns(c, tid_of(hdr), hdr->ts_ns);
	if (hdr->kind != RSP_EV_TASK)
		return false;
	return is_own(task) || is_named(c, task->tid) ||
	       (hdr->flags & RSP_TASK_FORK && is_used(c, task->ptid, hdr->ts_ns));
}

/*
 * Room for any record: later recorders may write longer MEMORY_WATCH records than the struct, and
 * hdr.size has 16 bits.
 */
union event {
	struct rsp_ev_hdr hdr;
	char bytes[UINT16_MAX + 1];
};

/* Returns false if the whole event is left out. */
static bool take(const struct cut *c, size_t i, union event *ret)
{
	const struct rsp_ev_hdr *hdr = c->model->trace->events[i];
	unsigned int keep = c->keep[i];

	if (!keep && !keeps_identity(c, hdr))
		return false;
	memcpy(ret, hdr, hdr->size);
	if (keep)
		leave_out(c, &ret->hdr, keep);
	return true;
}

static int collect_tids(struct cut *c)
{
	union event ev;
	int r = 0;

	for (size_t i = 0; i < c->model->trace->event_cnt && r == 0; i++)
		if (c->keep[i] && take(c, i, &ev))
			r = name_all(c, &ev.hdr);
	return r;
}

/* --- writing --------------------------------------------------------------------------------- */

struct chunk {
	struct rsp_snapshot_writer *w;
	char *bytes;
	size_t len;
};

static int flush(struct chunk *chunk)
{
	int r = 0;

	if (chunk->len)
		r = rsp_snapshot_write_section(chunk->w, RSP_SEC_EVENTS, chunk->bytes, chunk->len);
	chunk->len = 0;
	return r;
}

static int append(struct chunk *chunk, const struct rsp_ev_hdr *hdr)
{
	int r = chunk->len + hdr->size > CHUNK_BYTES ? flush(chunk) : 0;

	if (r < 0)
		return r;
	memcpy(chunk->bytes + chunk->len, hdr, hdr->size);
	chunk->len += hdr->size;
	return 0;
}

/*
 * Writes the model's times into META, because a reader of the result may lack the records that show
 * these times.
 */
static int write_meta(const struct cut *c, struct rsp_snapshot_writer *w)
{
	struct rsp_meta meta = c->model->trace->snap->meta;

	meta.since_ns = c->model->since_ns;
	meta.until_ns = c->model->until_ns;
	meta.window_oldest_ns = c->model->start_ns;
	return rsp_snapshot_write_meta(w, &meta);
}

static int write_events(const struct cut *c, struct rsp_cut_names *names, struct chunk *chunk)
{
	const struct rsp_trace *trace = c->model->trace;
	union event ev;
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		if (!take(c, i, &ev))
			continue;
		r = rsp_cut_names_refer(names, &ev.hdr);
		if (r == 0)
			r = append(chunk, &ev.hdr);
	}
	for (size_t i = 0; i < trace->sheds.cnt && r == 0; i++)
		r = append(chunk, &trace->sheds.v[i]->hdr);
	for (size_t i = 0; i < trace->marks.cnt && r == 0; i++)
		r = append(chunk, &trace->marks.v[i]->hdr);
	for (size_t i = 0; i < trace->counters.cnt && r == 0; i++)
		r = append(chunk, &trace->counters.v[i]->hdr);
	return r < 0 ? r : flush(chunk);
}

static int write_all(const struct cut *c, struct rsp_snapshot_writer *w)
{
	_cleanup_free_ char *bytes = malloc(CHUNK_BYTES);
	struct chunk chunk = {.w = w, .bytes = bytes};
	struct rsp_cut_names names = {0};
	int r = bytes ? write_meta(c, w) : -ENOMEM;

	if (r == 0)
		r = write_events(c, &names, &chunk);
	if (r == 0)
		r = rsp_cut_names_write(&names, c->model->trace->snap, w);
	rsp_cut_names_done(&names);
	return r;
}

/* --- all together ---------------------------------------------------------------------------- */

/* -ESRCH is not an error: a process that did nothing within the span has no chains. */
static int mark_used(struct cut *c)
{
	struct rsp_explanation *e = NULL;
	int r = rsp_used_new(c->model, &c->used);

	if (r == 0)
		r = rsp_explain_model_used(c->model, c->used, &e);
	rsp_explanation_free(e);
	if (r < 0 && r != -ESRCH)
		return r;
	return rsp_explain_own_used(c->model, c->used);
}

static void done(struct cut *c)
{
	rsp_used_free(c->used);
	free(c->keep);
	free(c->older);
	free(c->begun);
	rsp_idmap_done(&c->newest);
	rsp_idmap_done(&c->tids);
}

static int cut(const struct rsp_model *m, struct rsp_snapshot_writer *w)
{
	_cleanup_(done) struct cut c = {
		.model = m,
		.keep = calloc(m->trace->event_cnt + 1, sizeof(*c.keep)),
		.older = calloc(m->threads.cnt + 1, sizeof(*c.older)),
		.begun = calloc(m->threads.cnt + 1, sizeof(*c.begun)),
	};
	int r = c.keep && c.older && c.begun ? mark_used(&c) : -ENOMEM;

	if (r == 0)
		r = index_lives(&c);
	if (r < 0)
		return r;
	decide(&c);
	r = collect_tids(&c);
	return r < 0 ? r : write_all(&c, w);
}

int rsp_cut(const struct rsp_snapshot *snap, struct rsp_snapshot_writer *w)
{
	struct rsp_trace *trace;
	struct rsp_model *m;
	int r = rsp_trace_new(snap, &trace);

	if (r < 0)
		return r;
	r = rsp_model_new(trace, &m);
	if (r == 0) {
		r = cut(m, w);
		rsp_model_free(m);
	}
	rsp_trace_free(trace);
	return r;
}
