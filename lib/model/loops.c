/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See loops.h. All arrivals and sends in order of time, with a queue of events for each thread. */
#include "loops.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "request.h"

/* Events come before sends of the same time. */
enum step_kind {
	STEP_REQUEST,  /* a request arrives */
	STEP_ANSWERED, /* a call is answered */
	STEP_CALL,
	STEP_ANSWER,
};

struct step {
	__u64 ts_ns;
	__u32 tid;
	__u32 index : 30; /* in the exchange, or in the trips */
	__u32 kind : 2;
};

struct steps {
	struct step *v;
	size_t cnt, cap;
};

/* An event that the thread has not handled yet. */
struct event {
	__u64 ts_ns;
	__u32 request; /* or RSP_NO_ROW */
	bool is_arrival;
};

struct queue {
	struct event *v; /* from head on, in the order in which the thread handles them */
	size_t head, cnt, cap;
};

struct finder {
	const struct rsp_model *m;
	const struct rsp_exchange *served;
	struct rsp_loops *loops;
	struct steps steps;
	__u32 *owner_of;   /* trip -> request */
	__u32 *waiting_of; /* request -> number of its events in the queue */
	bool *is_answered; /* by request */

	/* The thread, at the time of the current step. */
	const struct rsp_thread *thread; /* NULL: nothing is known of it */
	size_t span;
	__u64 looked_ns; /* when it last went to sleep to wait for events */
	struct queue queue;
	struct queue passed; /* requests that came before and have got no call or answer */
	__u32 current;	     /* what the thread works for */
};

/* --- the steps ------------------------------------------------------------------------------- */

#define INDEX_MAX ((1U << 30) - 1)

static int add_step(struct steps *steps, __u64 ts_ns, __u32 tid, size_t index, enum step_kind kind)
{
	struct step *step;

	if (index > INDEX_MAX)
		return 0;
	step = rsp_array_add(steps);
	if (!step)
		return -ENOMEM;
	*step = (struct step){ts_ns, tid, (__u32)index, kind};
	return 0;
}

static int compare_steps(const void *pa, const void *pb)
{
	const struct step *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int list_steps(struct finder *f)
{
	int r = 0;

	for (size_t i = 0; i < f->served->cnt && r == 0; i++) {
		const struct rsp_served *s = &f->served->v[i];

		if (!s->first_ns || !rsp_idmap_get(f->m->callers, s->tid, &(uint64_t){0}))
			continue;
		r = add_step(&f->steps, s->arrival_ns, s->tid, i, STEP_REQUEST);
		if (r == 0)
			r = add_step(&f->steps, s->first_ns, s->tid, i, STEP_ANSWER);
	}
	for (size_t i = 0; i < f->m->trips.cnt && r == 0; i++) {
		const struct rsp_trip *t = &f->m->trips.v[i];

		if (t->before == RSP_NO_TRIP)
			r = add_step(&f->steps, t->from_ns, t->tid, i, STEP_CALL);
		if (r == 0)
			r = add_step(&f->steps, t->to_ns, t->tid, i, STEP_ANSWERED);
	}
	if (r == 0 && f->steps.cnt)
		qsort(f->steps.v, f->steps.cnt, sizeof(*f->steps.v), compare_steps);
	return r;
}

/* --- the queue ---------------------------------------------------------------------------------
 */

/* Whether the event ended a sleep of the thread. */
static bool wakes(const struct finder *f, const struct step *step)
{
	const struct rsp_span *span;

	if (!f->thread || f->span >= f->thread->spans.cnt)
		return false;
	span = &f->thread->spans.v[f->span];
	return span->from_ns < step->ts_ns && span->kind == RSP_SPAN_BLOCKED &&
	       span->cause == RSP_CAUSE_NET &&
	       f->m->ops.arrivals.v[span->cause_id].ts_ns == step->ts_ns;
}

/* Makes room before the first event of a queue that is not empty. */
static struct event *put_first(struct queue *q)
{
	if (q->head > 0)
		return &q->v[--q->head];
	if (!rsp_array_add(q))
		return NULL;
	memmove(q->v + 1, q->v, (q->cnt - 1) * sizeof(*q->v));
	return q->v;
}

static bool is_empty(const struct queue *q)
{
	return q->head == q->cnt;
}

static int push(struct finder *f, const struct step *step, __u32 request)
{
	struct queue *q = &f->queue;
	struct event *event = !is_empty(q) && wakes(f, step) ? put_first(q) : rsp_array_add(q);

	if (!event)
		return -ENOMEM;
	*event = (struct event){step->ts_ns, request, step->kind == STEP_REQUEST};
	if (request != RSP_NO_ROW)
		f->waiting_of[request]++;
	return 0;
}

static struct event pop(struct finder *f)
{
	struct queue *q = &f->queue;
	struct event event = q->v[q->head++];

	if (is_empty(q))
		q->head = q->cnt = 0;
	if (event.request != RSP_NO_ROW)
		f->waiting_of[event.request]--;
	return event;
}

/*
 * Takes events out of the queue that came before the thread last went to sleep: it has handled
 * them, or does not look for them yet.
 */
static int pass(struct finder *f)
{
	while (!is_empty(&f->queue) && f->queue.v[f->queue.head].ts_ns < f->looked_ns) {
		struct event event = pop(f), *slot;

		if (!event.is_arrival)
			continue;
		slot = rsp_array_add(&f->passed);
		if (!slot)
			return -ENOMEM;
		*slot = event;
	}
	return 0;
}

/* Finds what the thread works for when it calls someone. */
static int choose(struct finder *f)
{
	int r = pass(f);

	if (r < 0)
		return r;
	if (!is_empty(&f->queue)) {
		f->current = pop(f).request;
		return 0;
	}
	if (f->current != RSP_NO_ROW && !f->is_answered[f->current])
		return 0;
	for (; !is_empty(&f->passed); f->passed.head++) {
		__u32 request = f->passed.v[f->passed.head].request;

		if (!f->is_answered[request]) {
			f->current = request;
			return 0;
		}
	}
	return 0;
}

/* --- the thread --------------------------------------------------------------------------------
 */

static void turn_to(struct finder *f, __u32 tid)
{
	uint64_t thread;

	while (!is_empty(&f->queue))
		pop(f);
	f->passed.head = f->passed.cnt = 0;
	f->current = RSP_NO_ROW;
	f->looked_ns = f->span = 0;
	f->thread = NULL;
	if (rsp_idmap_get(&f->m->thread_of, tid, &thread))
		f->thread = &f->m->threads.v[thread];
}

/* Moves on to the span that lasts, or just ends, at ts_ns. */
static void move_to(struct finder *f, __u64 ts_ns)
{
	const struct rsp_thread *t = f->thread;

	for (; t && f->span < t->spans.cnt && rsp_span_end(t, f->span) < ts_ns; f->span++)
		if (rsp_request_is_look(&t->spans.v[f->span]))
			f->looked_ns = t->spans.v[f->span].from_ns;
}

/* --- the sends ---------------------------------------------------------------------------------
 */

static int note_send(struct finder *f, const struct step *step, bool is_answer)
{
	struct rsp_loop_send *send = rsp_array_add(&f->loops->sends);

	if (!send)
		return -ENOMEM;
	*send = (struct rsp_loop_send){step->ts_ns, step->tid, f->current, is_answer};
	return 0;
}

static int note_call(struct finder *f, const struct step *step)
{
	int r = choose(f);

	if (r < 0)
		return r;
	f->owner_of[step->index] = f->current;
	return note_send(f, step, false);
}

static int note_answered(struct finder *f, const struct step *step)
{
	__u32 before = f->m->trips.v[step->index].before;
	__u32 request = f->owner_of[before == RSP_NO_TRIP ? step->index : before];
	struct rsp_loop_trip *trip;

	f->owner_of[step->index] = request;
	if (request != RSP_NO_ROW) {
		trip = rsp_array_add(&f->loops->trips);
		if (!trip)
			return -ENOMEM;
		*trip = (struct rsp_loop_trip){request, step->index};
	}
	return push(f, step, request);
}

static int note_answer(struct finder *f, const struct step *step)
{
	while (f->waiting_of[step->index])
		pop(f);
	f->current = step->index;
	f->is_answered[step->index] = true;
	return note_send(f, step, true);
}

static int take(struct finder *f, const struct step *step)
{
	switch ((enum step_kind)step->kind) {
	case STEP_REQUEST:
		return push(f, step, step->index);
	case STEP_ANSWERED:
		return note_answered(f, step);
	case STEP_CALL:
		return note_call(f, step);
	case STEP_ANSWER:
		return note_answer(f, step);
	}
	return 0;
}

static int compare_trips(const void *pa, const void *pb)
{
	const struct rsp_loop_trip *a = pa, *b = pb;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	return a->trip < b->trip ? -1 : a->trip > b->trip; /* the model's order is that of time */
}

static int find_all(struct finder *f)
{
	int r = list_steps(f);

	for (size_t i = 0; i < f->steps.cnt && r == 0; i++) {
		const struct step *step = &f->steps.v[i];

		if (i == 0 || step->tid != step[-1].tid)
			turn_to(f, step->tid);
		move_to(f, step->ts_ns);
		r = take(f, step);
	}
	if (r == 0 && f->loops->trips.cnt)
		qsort(f->loops->trips.v, f->loops->trips.cnt, sizeof(*f->loops->trips.v),
		      compare_trips);
	return r;
}

int rsp_loops_callers(const struct rsp_exchange *served, const struct rsp_request_row *row,
		      struct rsp_idmap *ret)
{
	__u32 last = 0;
	int r = 0;

	for (size_t i = 0; i < row->cnt && r == 0; i++) {
		__u32 tid = served->v[row->order[i]].tid;

		if (tid && tid != last)
			r = rsp_idmap_put(ret, tid, 0);
		last = tid;
	}
	return r;
}

int rsp_loops_find(const struct rsp_model *m, const struct rsp_exchange *served,
		   struct rsp_loops *ret)
{
	_cleanup_free_ __u32 *owner_of = calloc(m->trips.cnt + 1, sizeof(*owner_of));
	_cleanup_free_ __u32 *waiting_of = calloc(served->cnt + 1, sizeof(*waiting_of));
	struct rsp_loops loops = {0};
	_cleanup_free_ bool *is_answered = calloc(served->cnt + 1, sizeof(*is_answered));
	struct finder f = {
		.m = m,
		.served = served,
		.loops = &loops,
		.owner_of = owner_of,
		.waiting_of = waiting_of,
		.is_answered = is_answered,
	};
	int r = owner_of && waiting_of && is_answered ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->trips.cnt && r == 0; i++)
		owner_of[i] = RSP_NO_ROW;
	if (r == 0)
		r = find_all(&f);
	free(f.steps.v);
	free(f.queue.v);
	free(f.passed.v);
	if (r < 0)
		rsp_loops_done(&loops);
	else
		*ret = loops;
	return r;
}

void rsp_loops_done(struct rsp_loops *loops)
{
	free(loops->sends.v);
	free(loops->trips.v);
	*loops = (struct rsp_loops){0};
}

/* --- finding -----------------------------------------------------------------------------------
 */

size_t rsp_loops_send_after(const struct rsp_loops *loops, __u32 tid, __u64 ts_ns)
{
	size_t lo = 0, hi = loops->sends.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct rsp_loop_send *send = &loops->sends.v[mid];

		if (send->tid < tid || (send->tid == tid && send->ts_ns <= ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t rsp_loops_trip_of(const struct rsp_loops *loops, __u32 request)
{
	size_t lo = 0, hi = loops->trips.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (loops->trips.v[mid].request < request)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
