/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See survey.h. What the tables share, and their making one by one. */
#include "survey.h"

#include <errno.h>
#include <stdlib.h>

#include "survey-parts.h"

/* --- waits ---------------------------------------------------------------------------------- */

__u64 rsp_survey_clip(const struct rsp_survey_scope *s, __u64 from_ns, __u64 to_ns)
{
	if (from_ns < s->model->since_ns)
		from_ns = s->model->since_ns;
	if (to_ns > s->model->until_ns)
		to_ns = s->model->until_ns;
	return from_ns < to_ns ? to_ns - from_ns : 0;
}

bool rsp_survey_within(const struct rsp_survey_scope *s, __u64 ts_ns)
{
	return ts_ns >= s->model->since_ns && ts_ns <= s->model->until_ns;
}

static void fill_wait(const struct rsp_survey_scope *s, const struct rsp_thread *t, size_t i,
		      struct rsp_survey_wait *w)
{
	w->span = &t->spans.v[i];
	w->from_ns = w->span->from_ns;
	if (w->from_ns < s->model->since_ns)
		w->from_ns = s->model->since_ns;
	w->target_ns = rsp_waited_ns(s->waited, (__u32)(t - s->model->threads.v), i);
	w->ns = rsp_survey_clip(s, w->from_ns, rsp_span_end(t, i));
}

bool rsp_survey_next_wait(const struct rsp_survey_scope *s, struct rsp_survey_wait *w)
{
	for (; w->thread < s->model->threads.cnt; w->thread++, w->i = 0) {
		const struct rsp_thread *t = &s->model->threads.v[w->thread];

		while (w->i < t->spans.cnt) {
			size_t i = w->i++;

			if (t->spans.v[i].kind != RSP_SPAN_BLOCKED)
				continue;
			fill_wait(s, t, i, w);
			if (w->ns)
				return true;
		}
	}
	return false;
}

/* The spans of a thread are ordered as the wakeups are that ended them, even within one instant. */
bool rsp_survey_ended_wait(const struct rsp_survey_scope *s, const struct rsp_ev_waking *waking,
			   size_t *passed, struct rsp_survey_wait *ret)
{
	__u64 ts_ns = waking->hdr.ts_ns;
	__u32 thread = rsp_survey_thread(s, waking->wakee_tid, ts_ns);
	const struct rsp_thread *t;

	if (thread == RSP_NO_THREAD)
		return false;
	t = &s->model->threads.v[thread];
	for (size_t *i = &passed[thread]; *i < t->spans.cnt; (*i)++) {
		const struct rsp_span *span = &t->spans.v[*i];
		bool is_ended = span->kind == RSP_SPAN_BLOCKED && span->waking;

		if (is_ended && span->waking == waking) {
			ret->thread = thread;
			fill_wait(s, t, *i, ret);
			return true;
		}
		if (span->from_ns > ts_ns || (is_ended && span->waking->hdr.ts_ns >= ts_ns))
			return false;
	}
	return false;
}

const char *rsp_survey_text(const struct rsp_survey_scope *s, __u32 text)
{
	return rsp_names_text(s->names, text);
}

/* --- threads by tid ------------------------------------------------------------------------- */

static __u64 life_begin(const struct rsp_thread *t)
{
	if (t->birth_ns)
		return t->birth_ns;
	return t->spans.cnt ? t->spans.v[0].from_ns : 0;
}

static int compare_lives(const void *pa, const void *pb, void *threads)
{
	const __u32 ia = *(const __u32 *)pa, ib = *(const __u32 *)pb;
	const struct rsp_thread *a = (struct rsp_thread *)threads + ia;
	const struct rsp_thread *b = (struct rsp_thread *)threads + ib;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (life_begin(a) != life_begin(b))
		return life_begin(a) < life_begin(b) ? -1 : 1;
	return ia < ib ? -1 : ia > ib;
}

static int sort_lives(struct rsp_survey_scope *s)
{
	size_t cnt = s->model->threads.cnt;

	s->lives = calloc(cnt + 1, sizeof(*s->lives));
	if (!s->lives)
		return -ENOMEM;
	for (size_t i = 0; i < cnt; i++)
		s->lives[i] = (__u32)i;
	qsort_r(s->lives, cnt, sizeof(*s->lives), compare_lives, s->model->threads.v);
	return 0;
}

__u32 rsp_survey_thread(const struct rsp_survey_scope *s, __u32 tid, __u64 ts_ns)
{
	const struct rsp_thread *threads = s->model->threads.v;
	size_t lo = 0, hi = s->model->threads.cnt;

	/* The last one of tid that began by then; or its first, whose beginning was not seen. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct rsp_thread *t = &threads[s->lives[mid]];

		if (t->tid < tid || (t->tid == tid && life_begin(t) <= ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > 0 && threads[s->lives[lo - 1]].tid == tid)
		return s->lives[lo - 1];
	if (lo < s->model->threads.cnt && threads[s->lives[lo]].tid == tid)
		return s->lives[lo];
	return RSP_NO_THREAD;
}

/* --- the whole ------------------------------------------------------------------------------ */

int rsp_survey_make(const struct rsp_model *m, struct rsp_names *names, const bool *target,
		    const struct rsp_waited *waited, struct rsp_survey *ret)
{
	static int (*const tables[])(const struct rsp_survey_scope *, struct rsp_survey *) = {
		rsp_survey_io, rsp_survey_net, rsp_survey_locks, rsp_survey_irqs, rsp_survey_edges,
	};
	struct rsp_survey_scope s = {
		.model = m, .names = names, .target = target, .waited = waited};
	struct rsp_survey survey = {0};
	int r = sort_lives(&s);

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && r == 0; i++)
		r = tables[i](&s, &survey);
	free(s.lives);
	if (r == 0)
		r = names->error;
	if (r < 0)
		rsp_survey_done(&survey);
	else
		*ret = survey;
	return r;
}

void rsp_survey_done(struct rsp_survey *s)
{
	free(s->io.v);
	free(s->net.v);
	free(s->locks.v);
	free(s->irqs.v);
	free(s->edges.v);
	*s = (struct rsp_survey){0};
}
