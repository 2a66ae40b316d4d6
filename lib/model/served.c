/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See served.h. */
#include "served.h"

#include <errno.h>
#include <stdlib.h>

#include "explain-parts.h"
#include "lib/base/array.h"
#include "lib/base/syscalls.h"

/* --- parts of threads' lives ----------------------------------------------------------- */

void rsp_served_parts_init(struct rsp_served_parts *s, const struct rsp_model *m,
			   const struct rsp_served_part *v, size_t cnt)
{
	struct rsp_meta *meta = &s->snap.meta;

	*s = (struct rsp_served_parts){
		.snap = *m->trace->snap,
		.trace = *m->trace,
		.model = *m,
		.whole = m,
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
	rsp_meta_choose_process(meta, rsp_explain_tgid(m, v[0].thread));
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

int rsp_served_parts_turn(struct rsp_served_parts *s, size_t i)
{
	const struct rsp_served_part *part = &s->v[i];
	int r = rsp_request_choose(s->whole, part->thread, part->from_ns, part->to_ns, &s->trips);

	if (r < 0)
		return r;
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

bool rsp_served_part_of(const struct rsp_model *m, const struct rsp_served *served,
			struct rsp_served_part *ret)
{
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
	*ret = (struct rsp_served_part){thread, from_ns, served->first_ns};
	return true;
}

static int compare_answers(const void *pa, const void *pb, void *userdata)
{
	const struct rsp_exchange *x = userdata;
	const struct rsp_served *a = &x->v[*(const __u32 *)pa], *b = &x->v[*(const __u32 *)pb];

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->first_ns < b->first_ns ? -1 : a->first_ns > b->first_ns;
}

int rsp_answers_find(const struct rsp_exchange *x, struct rsp_answers *ret)
{
	__u32 *v = calloc(x->cnt + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	*ret = (struct rsp_answers){.v = v};
	for (size_t i = 0; i < x->cnt; i++)
		if (x->v[i].first_ns)
			v[ret->cnt++] = (__u32)i;
	qsort_r(v, ret->cnt, sizeof(*v), compare_answers, (void *)x);
	return 0;
}

void rsp_answers_done(struct rsp_answers *a)
{
	free(a->v);
	*a = (struct rsp_answers){0};
}

/* Counts the answers of threads with a smaller number than tid, and those of tid before ts_ns. */
static size_t answers_before(const struct rsp_exchange *x, const struct rsp_answers *a, __u32 tid,
			     __u64 ts_ns)
{
	size_t lo = 0, hi = a->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct rsp_served *s = &x->v[a->v[mid]];

		if (s->tid < tid || (s->tid == tid && s->first_ns < ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool looks_for_events(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED && span->out &&
	       rsp_syscall_polls(span->out->syscall_nr);
}

/*
 * Finds the time at which the thread looks for events again. The wait that the arrival itself ends
 * does not count.
 */
static __u64 busy_until(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns)
{
	size_t i = rsp_span_at(t, from_ns);

	if (looks_for_events(&t->spans.v[i]))
		i++;
	for (; i < t->spans.cnt && t->spans.v[i].from_ns < to_ns; i++)
		if (looks_for_events(&t->spans.v[i]))
			return t->spans.v[i].from_ns;
	return to_ns;
}

struct rsp_behind rsp_served_behind(const struct rsp_model *m, const struct rsp_exchange *x,
				    const struct rsp_answers *answers, __u32 request)
{
	const struct rsp_served *s = &x->v[request];
	__u32 thread = rsp_served_thread(m, s);
	struct rsp_behind behind = {0};
	const struct rsp_thread *t;
	__u64 until_ns;

	if (thread == RSP_NO_THREAD || !s->first_ns)
		return behind;
	t = &m->threads.v[thread];
	if (!t->spans.cnt || s->arrival_ns < t->spans.v[0].from_ns)
		return behind;
	until_ns = busy_until(t, s->arrival_ns, s->first_ns);
	for (size_t i = answers_before(x, answers, s->tid, s->arrival_ns + 1);
	     i < answers->cnt && x->v[answers->v[i]].tid == s->tid; i++) {
		const struct rsp_served *other = &x->v[answers->v[i]];

		if (other->first_ns > until_ns || answers->v[i] == request)
			break;
		behind.ns = other->first_ns - s->arrival_ns;
		behind.cnt++;
	}
	return behind;
}
