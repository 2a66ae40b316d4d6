/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See survey.h. Walks over the waits once and over the records once, for all tables together. */
#include "lib/model/survey/survey.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/model/survey/survey-parts.h"

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

static struct rsp_survey_wait wait_of(const struct rsp_survey_scope *s, __u32 thread, size_t i)
{
	const struct rsp_thread *t = &s->model->threads.v[thread];
	struct rsp_survey_wait w = {
		.thread = thread,
		.span = &t->spans.v[i],
		.from_ns = t->spans.v[i].from_ns,
		.target_ns = s->waited_ns[t->first_span + i],
	};

	if (w.from_ns < s->model->since_ns)
		w.from_ns = s->model->since_ns;
	w.ns = rsp_survey_clip(s, w.from_ns, rsp_span_end(t, i));
	return w;
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
	const struct rsp_thread *threads = s->model->threads.v;
	size_t cnt = s->model->threads.cnt;

	s->lives = calloc(cnt + 1, sizeof(*s->lives));
	if (!s->lives)
		return -ENOMEM;
	for (size_t i = 0; i < cnt; i++)
		s->lives[i] = (__u32)i;
	qsort_r(s->lives, cnt, sizeof(*s->lives), compare_lives, s->model->threads.v);
	for (size_t i = 0, next; i < cnt; i = next) {
		__u32 tid = threads[s->lives[i]].tid;

		for (next = i + 1; next < cnt && threads[s->lives[next]].tid == tid;)
			next++;
		if (rsp_idmap_put(&s->lives_of, tid, i << 32 | next) < 0)
			return -ENOMEM;
	}
	return 0;
}

__u32 rsp_survey_thread(const struct rsp_survey_scope *s, __u32 tid, __u64 ts_ns)
{
	const struct rsp_thread *threads = s->model->threads.v;
	uint64_t range;
	__u32 lo, hi;

	if (!rsp_idmap_get(&s->lives_of, tid, &range))
		return RSP_NO_THREAD;
	lo = (__u32)(range >> 32);
	hi = (__u32)range;
	while (hi - lo > 1) {
		__u32 mid = lo + (hi - lo) / 2;

		if (life_begin(&threads[s->lives[mid]]) <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return s->lives[lo];
}

/* --- the walks ------------------------------------------------------------------------------ */

/* Findings need the first FINDING_CNT tables. The other tables describe the whole machine. */
static const struct rsp_survey_table *const tables[] = {
	&rsp_survey_io, &rsp_survey_net, &rsp_survey_locks, &rsp_survey_irqs, &rsp_survey_edges,
};
#define TABLE_CNT   (sizeof(tables) / sizeof(tables[0]))
#define FINDING_CNT 3

struct walk {
	const struct rsp_survey_scope *scope;
	void *made[TABLE_CNT];
	size_t cnt;   /* number of tables in use */
	size_t ended; /* number of entries of model->ended that the walk has passed */
	int r;
};

#define call_all(walk, function, ...)                                                              \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (walk)->cnt && (walk)->r == 0; i_++)                      \
			if (tables[i_]->function)                                                  \
				(walk)->r = tables[i_]->function((walk)->made[i_], __VA_ARGS__);   \
	} while (0)

static void walk_waits(struct walk *walk)
{
	const struct rsp_model *m = walk->scope->model;

	for (__u32 thread = 0; thread < m->threads.cnt; thread++) {
		const struct rsp_thread *t = &m->threads.v[thread];

		for (size_t i = 0; i < t->spans.cnt && walk->r == 0; i++) {
			struct rsp_survey_wait w;

			if (t->spans.v[i].kind != RSP_SPAN_BLOCKED)
				continue;
			w = wait_of(walk->scope, thread, i);
			if (w.ns)
				call_all(walk, on_wait, &w);
		}
	}
}

/* Must be called in order of time. */
static const struct rsp_ended *pass_ended(struct walk *walk, const struct rsp_ev_waking *ev)
{
	const struct rsp_model *m = walk->scope->model;

	if (walk->ended == m->ended.cnt || m->ended.v[walk->ended].waking != ev)
		return NULL;
	return &m->ended.v[walk->ended++];
}

/* Returns the span of an ended wait, or NULL if a later record has changed the span. */
static const struct rsp_span *ended_span(const struct walk *walk, const struct rsp_ended *ended)
{
	const struct rsp_thread *t = &walk->scope->model->threads.v[ended->thread];
	const struct rsp_span *span = &t->spans.v[ended->span];

	if (ended->span >= t->spans.cnt || span->kind != RSP_SPAN_BLOCKED ||
	    span->waking != ended->waking)
		return NULL;
	return span;
}

/* Findings use only wakeups by arrivals, which happen in softirqs. */
static bool is_wanted(const struct walk *walk, const struct rsp_ev_waking *ev)
{
	return walk->scope->with_machine || ev->context == RSP_WAKE_NET ||
	       ev->context == RSP_WAKE_SOFTIRQ;
}

static void on_waking(struct walk *walk, const struct rsp_ev_waking *ev)
{
	const struct rsp_ended *ended = pass_ended(walk, ev);
	struct rsp_survey_waking waking = {.ev = ev};
	const struct rsp_span *span;
	struct rsp_survey_wait w;

	if (!is_wanted(walk, ev))
		return;
	span = ended ? ended_span(walk, ended) : NULL;
	waking.wakee = rsp_survey_thread(walk->scope, ev->wakee_tid, ev->hdr.ts_ns);
	if (span && ended->thread == waking.wakee) {
		w = wait_of(walk->scope, ended->thread, ended->span);
		waking.ended = &w;
	}
	call_all(walk, on_waking, &waking);
}

static void walk_records(struct walk *walk)
{
	const struct rsp_trace *trace = walk->scope->model->trace;

	for (size_t i = 0; i < trace->event_cnt && walk->r == 0; i++) {
		const void *ev = trace->events[i];

		switch (trace->events[i]->kind) {
		case RSP_EV_WAKING:
			on_waking(walk, ev);
			break;
		case RSP_EV_NET:
			call_all(walk, on_net, ev);
			break;
		case RSP_EV_IRQ:
			call_all(walk, on_irq, ev);
			break;
		}
	}
}

static int make_tables(const struct rsp_survey_scope *s, size_t wanted_cnt, struct rsp_survey *ret)
{
	struct walk walk = {.scope = s};

	for (; walk.cnt < wanted_cnt && walk.r == 0; walk.cnt++) {
		walk.made[walk.cnt] = tables[walk.cnt]->begin(s, ret);
		if (!walk.made[walk.cnt])
			walk.r = -ENOMEM;
	}
	walk_waits(&walk);
	walk_records(&walk);
	for (size_t i = 0; i < walk.cnt; i++) {
		int r = walk.made[i] ? tables[i]->end(walk.made[i]) : 0;

		if (walk.r == 0)
			walk.r = r;
	}
	return walk.r;
}

/* --- all together --------------------------------------------------------------------------- */

int rsp_survey_make(const struct rsp_model *m, struct rsp_names *names, const bool *target,
		    const __u64 *waited_ns, bool with_machine, struct rsp_survey *ret)
{
	struct rsp_survey_scope s = {
		.model = m,
		.names = names,
		.target = target,
		.waited_ns = waited_ns,
		.with_machine = with_machine,
	};
	struct rsp_survey survey = {0};
	int r = sort_lives(&s);

	if (r == 0)
		r = make_tables(&s, with_machine ? TABLE_CNT : FINDING_CNT, &survey);
	free(s.lives);
	rsp_idmap_done(&s.lives_of);
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
