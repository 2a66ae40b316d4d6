/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See served.h. */
#include "lib/model/served/served.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"

/* --- parts of threads' lives ----------------------------------------------------------- */

void rsp_served_parts_init(struct rsp_served_parts *s, const struct rsp_model *m,
			   const struct rsp_loops *loops, const struct rsp_served_part *v,
			   size_t cnt)
{
	struct rsp_meta *meta = &s->snap.meta;

	*s = (struct rsp_served_parts){
		.snap = *m->trace->snap,
		.trace = *m->trace,
		.model = *m,
		.whole = m,
		.loops = loops,
		.v = v,
		.cnt = cnt,
	};
	s->trace.snap = &s->snap;
	s->model.trace = &s->trace;
	s->model.since_ns = v[0].from_ns;
	s->model.until_ns = v[0].to_ns;
	for (size_t i = 1; i < cnt; i++) {
		if (s->model.since_ns > v[i].from_ns)
			s->model.since_ns = v[i].from_ns;
		if (s->model.until_ns < v[i].to_ns)
			s->model.until_ns = v[i].to_ns;
	}
	rsp_meta_choose_process(meta, rsp_thread_tgid(m, v[0].thread));
	meta->target_tid = m->threads.v[v[0].thread].tid;
	meta->since_ns = s->model.since_ns;
	meta->until_ns = s->model.until_ns;
}

void rsp_served_parts_done(struct rsp_served_parts *s)
{
	free(s->trips.v);
	s->trips = (struct rsp_trips){0};
}

int rsp_served_parts_roots(const struct rsp_served_parts *s, struct rsp_roots *ret)
{
	ret->v = calloc(s->cnt, sizeof(*ret->v));
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < s->cnt; i++)
		ret->v[i] = (struct rsp_root){s->v[i].thread, s->v[i].from_ns, s->v[i].to_ns,
					      false};
	ret->cnt = ret->cap = s->cnt;
	ret->chosen_cnt = (__u32)s->cnt;
	ret->main_thread = s->v[0].thread;
	return 0;
}

/*
 * Returns the time at which the thread stops working on the request while a call (trip) of the
 * request waits for its answer.
 */
static __u64 find_turn_end(const struct rsp_served_parts *s, const struct rsp_served_part *part,
			   const struct rsp_trip *trip)
{
	const struct rsp_thread *t = &s->whole->threads.v[part->thread];
	__u64 until_ns = rsp_request_next_look(t, trip->from_ns, trip->to_ns);

	for (size_t i = rsp_loops_send_after(s->loops, t->tid, trip->from_ns);
	     i < s->loops->sends.cnt; i++) {
		const struct rsp_loop_send *send = &s->loops->sends.v[i];

		if (send->tid != t->tid || send->ts_ns >= until_ns)
			break;
		if (send->request != part->request)
			return send->ts_ns;
	}
	return until_ns;
}

static int choose_trips(const struct rsp_model *m, const struct rsp_loops *loops,
			const struct rsp_served_part *part, struct rsp_trips *ret)
{
	size_t first = rsp_loops_trip_of(loops, part->request);
	size_t i = rsp_loops_trip_of(loops, part->request + 1);
	__u64 until_ns = part->to_ns;

	ret->cnt = 0;
	for (; i > first; i--) {
		const struct rsp_trip *trip = &m->trips.v[loops->trips.v[i - 1].trip];
		struct rsp_trip *slot;

		if (trip->to_ns > until_ns || trip->from_ns < part->from_ns)
			continue;
		slot = rsp_array_add(ret);
		if (!slot)
			return -ENOMEM;
		*slot = *trip;
		until_ns = trip->from_ns;
	}
	for (i = 0; i < ret->cnt / 2; i++) {
		struct rsp_trip moved = ret->v[i];

		ret->v[i] = ret->v[ret->cnt - 1 - i];
		ret->v[ret->cnt - 1 - i] = moved;
	}
	return 0;
}

int rsp_served_parts_turn(struct rsp_served_parts *s, size_t i)
{
	const struct rsp_served_part *part = &s->v[i];
	int r = choose_trips(s->whole, s->loops, part, &s->trips);

	if (r < 0)
		return r;
	if (!rsp_idmap_get(&s->loops->shared, s->whole->threads.v[part->thread].tid,
			   &(uint64_t){0}))
		for (size_t j = 0; j < s->trips.cnt; j++)
			s->trips.v[j].away_ns = find_turn_end(s, part, &s->trips.v[j]);
	s->model.request_tid = s->whole->threads.v[part->thread].tid;
	s->model.trips.v = s->trips.v;
	s->model.trips.cnt = s->trips.cnt;
	return 0;
}

/* --- requests --------------------------------------------------------------------------------- */

static bool lives(const struct rsp_thread *t, __u32 tid, __u64 ts_ns)
{
	return t->tid == tid && t->known_ns <= ts_ns && ts_ns < t->end_ns;
}

__u32 rsp_served_thread(const struct rsp_model *m, const struct rsp_served *served)
{
	uint64_t newest;

	if (!served->tid || !rsp_idmap_get(&m->thread_of, served->tid, &newest))
		return RSP_NO_THREAD;
	if (lives(&m->threads.v[newest], served->tid, served->first_ns))
		return (__u32)newest;
	for (size_t i = 0; i < m->threads.cnt; i++)
		if (lives(&m->threads.v[i], served->tid, served->first_ns))
			return (__u32)i;
	return RSP_NO_THREAD;
}

bool rsp_served_part_of(const struct rsp_model *m, const struct rsp_exchange *x, __u32 request,
			struct rsp_served_part *ret)
{
	const struct rsp_served *served = &x->v[request];
	__u32 thread = rsp_served_thread(m, served);
	const struct rsp_thread *t;
	__u64 from_ns;

	if (thread == RSP_NO_THREAD)
		return false;
	t = &m->threads.v[thread];
	from_ns = served->arrival_ns > t->known_ns ? served->arrival_ns : t->known_ns;
	if (!t->spans.cnt || from_ns >= served->first_ns)
		return false;
	if (from_ns < t->spans.v[0].from_ns)
		from_ns = t->spans.v[0].from_ns;
	if (from_ns >= served->first_ns)
		return false;
	*ret = (struct rsp_served_part){
		.thread = thread,
		.request = request,
		.from_ns = from_ns,
		.to_ns = served->first_ns,
	};
	return true;
}

/* --- parts of a request ----------------------------------------------------------------------- */

static int add_part(struct rsp_served_split *split, struct rsp_served_part part)
{
	struct rsp_served_part *slot;

	if (part.from_ns >= part.to_ns)
		return 0;
	slot = rsp_array_add(&split->parts);
	if (!slot)
		return -ENOMEM;
	*slot = part;
	return 0;
}

/*
 * Returns from_ns if the event does not wait. to_ns: the next send for the request. Adds the number
 * of answers to other requests to *ret_cnt.
 */
static __u64 busy_until(const struct rsp_thread *t, const struct rsp_loops *loops, __u32 request,
			__u64 from_ns, __u64 to_ns, __u64 *ret_cnt)
{
	__u64 look_ns = rsp_request_next_look(t, from_ns, to_ns), until_ns = from_ns;

	for (size_t i = rsp_loops_send_after(loops, t->tid, from_ns); i < loops->sends.cnt; i++) {
		const struct rsp_loop_send *send = &loops->sends.v[i];

		if (send->tid != t->tid || send->ts_ns > look_ns || send->request == request)
			break;
		until_ns = send->ts_ns < to_ns ? send->ts_ns : to_ns;
		*ret_cnt += send->is_answer;
	}
	return until_ns;
}

static int add_stretch(const struct rsp_model *m, const struct rsp_loops *loops,
		       struct rsp_served_part part, struct rsp_served_split *ret)
{
	__u64 from_ns = part.from_ns, to_ns = part.to_ns;
	int r;

	part.stage = RSP_STAGE_TURN;
	part.to_ns = busy_until(&m->threads.v[part.thread], loops, part.request, from_ns, to_ns,
				&ret->behind_cnt);
	ret->behind_ns += part.to_ns - from_ns;
	r = add_part(ret, part);
	if (r < 0)
		return r;
	part.stage = RSP_STAGE_OWN;
	part.from_ns = part.to_ns;
	part.to_ns = to_ns;
	return add_part(ret, part);
}

static int add_call(const struct rsp_model *m, const struct rsp_loops *loops,
		    struct rsp_served_part part, const struct rsp_trip *trip,
		    struct rsp_served_split *ret)
{
	uint64_t caller;
	int r;

	if (rsp_idmap_get(&m->thread_of, trip->tid, &caller))
		part.thread = (__u32)caller;
	part.to_ns = trip->from_ns;
	r = add_stretch(m, loops, part, ret);
	if (r < 0)
		return r;
	part.stage = RSP_STAGE_CALL;
	part.peer = m->ops.arrivals.v[trip->arrival].sock;
	part.from_ns = trip->from_ns;
	part.to_ns = trip->to_ns;
	return add_part(ret, part);
}

int rsp_served_split(const struct rsp_model *m, const struct rsp_loops *loops,
		     const struct rsp_served_part *whole, struct rsp_served_split *ret)
{
	struct rsp_served_part rest = *whole;
	struct rsp_trips trips = {0};
	int r = choose_trips(m, loops, whole, &trips);

	for (size_t i = 0; i < trips.cnt && r == 0; i++) {
		r = add_call(m, loops, rest, &trips.v[i], ret);
		rest.from_ns = trips.v[i].to_ns;
	}
	free(trips.v);
	return r == 0 ? add_stretch(m, loops, rest, ret) : r;
}

void rsp_served_split_done(struct rsp_served_split *split)
{
	free(split->parts.v);
	*split = (struct rsp_served_split){0};
}
