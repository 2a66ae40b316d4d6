/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See loops.h. Processes all arrivals and sends in order of time, with a queue of events for each
 * thread.
 */
#include "lib/model/served/loops.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/model/request.h"
#include "lib/model/served/loops-parts.h"

struct finder {
	const struct rsp_model *m;
	const struct rsp_exchange *served;
	struct rsp_loops *loops;
	struct rsp_steps steps;
	__u32 *owner_of;   /* trip -> request */
	__u32 *waiting_of; /* [request]: number of its events in the queue */
	__u32 *calls_of;   /* [request]: number of its calls so far */
	/* [request]: its newest trip if this trip has not ended, or RSP_NO_TRIP */
	__u32 *pending_of;
	bool *is_answered; /* by request */

	/* The state of the worker at the time of the current step. */
	/* NULL: the worker is a process, or a thread without records */
	const struct rsp_thread *thread;
	size_t span;
	__u64 looked_ns; /* time at which the thread last went to sleep to wait for events */
	struct rsp_events queue;
	/*
	 * requests that came before looked_ns, and for which the thread has sent no call or answer
	 * yet
	 */
	struct rsp_events passed;
	/* if the worker is a process: the average number of calls for each request; otherwise 0 */
	__u32 call_cnt;
	__u32 current; /* the request that the worker works for, or RSP_NO_ROW */
};

/* --- the queue -------------------------------------------------------------------------------- */

static bool wakes(const struct finder *f, const struct rsp_step *step)
{
	const struct rsp_span *span;
	__u64 wakeup_ns;

	if (!f->thread || f->span >= f->thread->spans.cnt)
		return false;
	span = &f->thread->spans.v[f->span];
	if (span->from_ns > step->ts_ns || span->kind != RSP_SPAN_BLOCKED ||
	    span->cause != RSP_CAUSE_NET)
		return false;
	wakeup_ns = f->m->ops.arrivals.v[span->cause_id].ts_ns;
	return wakeup_ns >= step->ts_ns && wakeup_ns - step->ts_ns <= RSP_WAKE_NS_MAX;
}

static int push(struct finder *f, const struct rsp_step *step, __u32 request)
{
	__u32 trip = step->kind == RSP_STEP_REQUEST ? RSP_NO_TRIP : step->index;
	int r = rsp_events_add(&f->queue, (struct rsp_event){step->ts_ns, request, trip},
			       wakes(f, step));

	if (r == 0 && request != RSP_NO_ROW)
		f->waiting_of[request]++;
	return r;
}

static struct rsp_event take_out(struct finder *f, size_t i)
{
	struct rsp_event event = rsp_events_take(&f->queue, i);

	if (event.request != RSP_NO_ROW)
		f->waiting_of[event.request]--;
	return event;
}

static struct rsp_event pop(struct finder *f)
{
	return take_out(f, f->queue.head);
}

#define SEARCH_MAX 1000

static size_t search_end(const struct finder *f)
{
	size_t cnt = f->queue.cnt - f->queue.head;

	return f->queue.head + (cnt < SEARCH_MAX ? cnt : SEARCH_MAX);
}

static void drop(struct finder *f, __u32 request)
{
	for (size_t i = f->queue.head; i < search_end(f) && f->waiting_of[request]; i++)
		if (f->queue.v[i].request == request)
			take_out(f, i);
}

/*
 * The thread has handled the events that came before it last went to sleep, except perhaps arrivals
 * of requests, which move to passed.
 */
static int pass(struct finder *f)
{
	int r = 0;

	while (r == 0 && !rsp_events_is_empty(&f->queue) &&
	       f->queue.v[f->queue.head].ts_ns < f->looked_ns) {
		struct rsp_event event = pop(f);

		if (event.trip == RSP_NO_TRIP)
			r = rsp_events_add(&f->passed, event, false);
	}
	return r;
}

/*
 * Returns the index of the event that the thread probably handles now. Threads that share requests
 * change the order of events a little, so events of requests with few calls come first.
 */
static size_t first_due(const struct finder *f)
{
	for (size_t i = f->queue.head; f->call_cnt && i < search_end(f); i++) {
		__u32 request = f->queue.v[i].request;

		if (request != RSP_NO_ROW && f->calls_of[request] < f->call_cnt)
			return i;
	}
	return f->queue.head;
}

static int choose(struct finder *f)
{
	int r = pass(f);

	if (r < 0)
		return r;
	if (!rsp_events_is_empty(&f->queue)) {
		f->current = take_out(f, first_due(f)).request;
		return 0;
	}
	if (f->current != RSP_NO_ROW && !f->is_answered[f->current])
		return 0;
	while (!rsp_events_is_empty(&f->passed)) {
		__u32 request = f->passed.v[f->passed.head].request;

		if (!f->is_answered[request]) {
			f->current = request;
			return 0;
		}
		rsp_events_take(&f->passed, f->passed.head);
	}
	return 0;
}

/* --- the thread ------------------------------------------------------------------------------- */

/* first: the first step of the worker. */
static __u32 count_calls(const struct finder *f, const struct rsp_step *first)
{
	const struct rsp_step *end = f->steps.v + f->steps.cnt;
	__u64 call_cnt = 0, request_cnt = 0;

	for (const struct rsp_step *step = first; step < end && step->worker == first->worker;
	     step++) {
		call_cnt += step->kind == RSP_STEP_CALL;
		request_cnt += step->kind == RSP_STEP_REQUEST;
	}
	return request_cnt ? (__u32)((call_cnt + request_cnt / 2) / request_cnt) : 0;
}

static void begin_worker(struct finder *f, const struct rsp_step *first)
{
	__u32 worker = first->worker;
	uint64_t thread;

	while (!rsp_events_is_empty(&f->queue))
		pop(f);
	f->passed.head = f->passed.cnt = 0;
	f->current = RSP_NO_ROW;
	f->looked_ns = f->span = 0;
	f->thread = NULL;
	f->call_cnt = rsp_step_is_process(first) ? count_calls(f, first) : 0;
	if (rsp_idmap_get(&f->m->thread_of, worker, &thread))
		f->thread = &f->m->threads.v[thread];
}

static void move_to(struct finder *f, __u64 ts_ns)
{
	const struct rsp_thread *t = f->thread;

	for (; t && f->span < t->spans.cnt && rsp_span_end(t, f->span) < ts_ns; f->span++)
		if (rsp_request_is_look(&t->spans.v[f->span]))
			f->looked_ns = t->spans.v[f->span].from_ns;
}

/* --- sends ------------------------------------------------------------------------------------ */

static int note_send(struct finder *f, const struct rsp_step *step, __u32 tid, bool is_answer)
{
	struct rsp_loop_send *send = rsp_array_add(&f->loops->sends);

	if (!send)
		return -ENOMEM;
	*send = (struct rsp_loop_send){step->ts_ns, tid, f->current, is_answer};
	return 0;
}

static int note_call(struct finder *f, const struct rsp_step *step)
{
	int r = choose(f);

	if (r < 0)
		return r;
	f->owner_of[step->index] = f->current;
	if (f->current != RSP_NO_ROW) {
		f->pending_of[f->current] = step->index;
		f->calls_of[f->current]++;
	}
	return note_send(f, step, f->m->trips.v[step->index].tid, false);
}

static int note_answered(struct finder *f, const struct rsp_step *step)
{
	__u32 before = f->m->trips.v[step->index].before;
	__u32 request = f->owner_of[before == RSP_NO_TRIP ? step->index : before];

	f->owner_of[step->index] = request;
	if (request != RSP_NO_ROW && f->pending_of[request] == step->index)
		f->pending_of[request] = RSP_NO_TRIP;
	/*
	 * If the request is already answered, the event is a later part of an answer that the
	 * thread passes on, so no call follows the event.
	 */
	if (request == RSP_NO_ROW ? rsp_step_is_process(step) : f->is_answered[request])
		return 0;
	return push(f, step, request);
}

/*
 * Returns whether the call that the event answers may have been made for this request, and the
 * pending call of this request for the other request. If this request has no pending call, the
 * other request must have more calls than the average.
 */
static bool may_exchange(const struct finder *f, const struct rsp_event *event, __u32 request)
{
	__u32 pending = f->pending_of[request], other = event->request;

	if (event->trip == RSP_NO_TRIP || other == RSP_NO_ROW || other == request ||
	    f->m->trips.v[event->trip].from_ns < f->served->v[request].arrival_ns)
		return false;
	if (pending == RSP_NO_TRIP)
		return f->calls_of[other] > f->call_cnt;
	return f->m->trips.v[pending].from_ns >= f->served->v[other].arrival_ns;
}

/*
 * Corrects the request of an earlier call, when a request is answered. A request is not answered
 * while its call is pending, and all requests make about the same number of calls. If the answered
 * request breaks these rules, the function gives this request the oldest call that may belong to
 * it.
 */
static void exchange_calls(struct finder *f, __u32 request)
{
	__u32 pending = f->pending_of[request];
	size_t i = f->queue.head;
	struct rsp_event *event;
	__u32 other;

	if (pending == RSP_NO_TRIP && f->calls_of[request] >= f->call_cnt)
		return;
	while (i < search_end(f) && !may_exchange(f, &f->queue.v[i], request))
		i++;
	if (i == search_end(f))
		return;
	event = &f->queue.v[i];
	other = event->request;
	f->owner_of[event->trip] = event->request = request;
	f->waiting_of[other]--;
	f->waiting_of[request]++;
	f->pending_of[request] = RSP_NO_TRIP;
	if (pending == RSP_NO_TRIP) {
		f->calls_of[other]--;
		f->calls_of[request]++;
	} else {
		f->owner_of[pending] = other;
		f->pending_of[other] = pending;
	}
}

static int note_answer(struct finder *f, const struct rsp_step *step)
{
	if (rsp_step_is_process(step)) {
		exchange_calls(f, step->index);
		drop(f, step->index);
	}
	while (!rsp_step_is_process(step) && f->waiting_of[step->index])
		pop(f);
	f->current = step->index;
	f->is_answered[step->index] = true;
	return note_send(f, step, f->served->v[step->index].tid, true);
}

static int take(struct finder *f, const struct rsp_step *step)
{
	switch ((enum rsp_step_kind)step->kind) {
	case RSP_STEP_REQUEST:
		return push(f, step, step->index);
	case RSP_STEP_ANSWERED:
		return note_answered(f, step);
	case RSP_STEP_CALL:
		return note_call(f, step);
	case RSP_STEP_ANSWER:
		return note_answer(f, step);
	}
	return 0;
}

static int compare_trips(const void *pa, const void *pb)
{
	const struct rsp_loop_trip *a = pa, *b = pb;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	/* trips are in order of time in the model */
	return a->trip < b->trip ? -1 : a->trip > b->trip;
}

static int compare_sends(const void *pa, const void *pb)
{
	const struct rsp_loop_send *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->ts_ns < b->ts_ns ? -1 : a->ts_ns > b->ts_ns;
}

static int list_trips(struct finder *f)
{
	struct rsp_loops *loops = f->loops;

	for (size_t i = 0; i < f->m->trips.cnt; i++) {
		__u32 before = f->m->trips.v[i].before;
		struct rsp_loop_trip *trip;

		/* a later answer may have changed the request of the trip before */
		if (before != RSP_NO_TRIP)
			f->owner_of[i] = f->owner_of[before];
		if (f->owner_of[i] == RSP_NO_ROW)
			continue;
		trip = rsp_array_add(&loops->trips);
		if (!trip)
			return -ENOMEM;
		*trip = (struct rsp_loop_trip){f->owner_of[i], (__u32)i};
	}
	if (loops->trips.cnt)
		qsort(loops->trips.v, loops->trips.cnt, sizeof(*loops->trips.v), compare_trips);
	/* without shared requests, the steps and so the sends are already in this order */
	if (loops->shared.cnt && loops->sends.cnt)
		qsort(loops->sends.v, loops->sends.cnt, sizeof(*loops->sends.v), compare_sends);
	return 0;
}

static int find_all(struct finder *f)
{
	int r = rsp_loops_find_shared(f->m, &f->loops->shared);

	if (r == 0)
		r = rsp_steps_list(f->m, f->served, &f->loops->shared, &f->steps);
	for (size_t i = 0; i < f->steps.cnt && r == 0; i++) {
		const struct rsp_step *step = &f->steps.v[i];

		if (i == 0 || step->worker != step[-1].worker)
			begin_worker(f, step);
		move_to(f, step->ts_ns);
		r = take(f, step);
	}
	free(f->steps.v);
	f->steps = (struct rsp_steps){0};
	return r == 0 ? list_trips(f) : r;
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

static int allocate(struct finder *f)
{
	size_t trip_cnt = f->m->trips.cnt, request_cnt = f->served->cnt;

	f->owner_of = calloc(trip_cnt + 1, sizeof(*f->owner_of));
	f->waiting_of = calloc(request_cnt + 1, sizeof(*f->waiting_of));
	f->calls_of = calloc(request_cnt + 1, sizeof(*f->calls_of));
	f->pending_of = calloc(request_cnt + 1, sizeof(*f->pending_of));
	f->is_answered = calloc(request_cnt + 1, sizeof(*f->is_answered));
	if (!f->owner_of || !f->waiting_of || !f->calls_of || !f->pending_of || !f->is_answered)
		return -ENOMEM;
	for (size_t i = 0; i < trip_cnt; i++)
		f->owner_of[i] = RSP_NO_ROW;
	for (size_t i = 0; i < request_cnt; i++)
		f->pending_of[i] = RSP_NO_TRIP;
	return 0;
}

int rsp_loops_find(const struct rsp_model *m, const struct rsp_exchange *served,
		   struct rsp_loops *ret)
{
	struct rsp_loops loops = {0};
	struct finder f = {.m = m, .served = served, .loops = &loops};
	int r = allocate(&f);

	if (r == 0)
		r = find_all(&f);
	free(f.owner_of);
	free(f.waiting_of);
	free(f.calls_of);
	free(f.pending_of);
	free(f.is_answered);
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
	rsp_idmap_done(&loops->shared);
	*loops = (struct rsp_loops){0};
}

/* --- lookups ---------------------------------------------------------------------------------- */

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
