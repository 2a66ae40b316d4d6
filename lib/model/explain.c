/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See explain.h. Chooses the threads of interest, has their time attributed, and puts the result
 * into the form reports read. The rules of attribution are in attribute.c.
 */
#include "explain.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "attribute.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

/* What an explanation points into. */
struct owned {
	struct rsp_names *names;
	struct rsp_arena hops;
};

/* A thread of the process of interest, and the part of its life inside the span asked for. */
struct root {
	__u32 thread;
	__u64 from_ns, to_ns;
	bool idle; /* slept all the time */
};

struct roots {
	struct root *v;
	size_t cnt, cap;
};

/* The life of the process of interest: of its tgid in the hands of one process. */
struct target {
	__u32 main_thread; /* index */
	__u64 from_ns, to_ns;
};

/* --- who is meant --------------------------------------------------------------------------- */

/* Who a thread was in this life of its tid; at its end the next one may begin. */
static const struct rsp_ev_task *identity(const struct rsp_model *m, const struct rsp_thread *t)
{
	return rsp_trace_task(m->trace, t->tid, t->end_ns ? t->end_ns - 1 : 0);
}

static bool is_main_thread(const struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	const struct rsp_ev_task *task = identity(m, t);

	if (!task || task->tgid != meta->target_pid)
		return false;
	return !meta->target_start_ns || !task->start_ns || task->start_ns == meta->target_start_ns;
}

/* Of several processes that had the pid the last one is meant, unless its start time tells. */
static struct target find_target(const struct rsp_model *m)
{
	struct target target = {.main_thread = RSP_NO_THREAD};
	__u64 start_ns = 0;

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task;

		if (t->tid != m->trace->snap->meta.target_pid)
			continue;
		task = identity(m, t);
		if (!is_main_thread(m, t)) {
			if (target.to_ns == UINT64_MAX)
				target.to_ns = t->known_ns;
			continue;
		}
		/* The same process still, if another of its threads took over with an exec. */
		if (target.main_thread == RSP_NO_THREAD || !start_ns || start_ns != task->start_ns)
			target.from_ns = t->birth_ns;
		target.main_thread = (__u32)i;
		target.to_ns = UINT64_MAX;
		start_ns = task->start_ns;
	}
	return target;
}

static bool is_awake(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns)
{
	if (!t->spans.cnt)
		return false;
	for (size_t i = rsp_span_at(t, from_ns); i < t->spans.cnt; i++) {
		if (t->spans.v[i].from_ns >= to_ns)
			break;
		if (t->spans.v[i].kind != RSP_SPAN_BLOCKED && rsp_span_end(t, i) > from_ns)
			return true;
	}
	return false;
}

static bool be_root(const struct rsp_model *m, const struct target *target, __u32 thread,
		    struct root *ret)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	const struct rsp_ev_task *task = identity(m, t);
	__u64 from_ns = t->birth_ns > m->since_ns ? t->birth_ns : m->since_ns;
	__u64 to_ns = t->end_ns < m->until_ns ? t->end_ns : m->until_ns;

	if (!task || task->tgid != m->trace->snap->meta.target_pid)
		return false;
	if (t->end_ns <= target->from_ns || t->birth_ns >= target->to_ns || from_ns >= to_ns)
		return false;
	*ret = (struct root){thread, from_ns, to_ns, !is_awake(t, from_ns, to_ns)};
	return true;
}

static int find_roots(const struct rsp_model *m, const struct target *target, struct roots *ret)
{
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct root root, *slot;

		if (!be_root(m, target, (__u32)i, &root))
			continue;
		slot = rsp_array_add(ret);
		if (!slot)
			return -ENOMEM;
		*slot = root;
	}
	return ret->cnt ? 0 : -ESRCH;
}

/* Idle threads are not explained, except when there is nothing else: then the main thread is. */
static size_t choose_roots(const struct target *target, struct roots *roots)
{
	size_t awake_cnt = 0, chosen = 0;

	for (size_t i = 0; i < roots->cnt; i++) {
		awake_cnt += !roots->v[i].idle;
		if (roots->v[i].thread == target->main_thread)
			chosen = i;
	}
	if (awake_cnt)
		return awake_cnt;
	roots->v[chosen].idle = false;
	return 1;
}

/* --- what came of it ------------------------------------------------------------------------ */

static void name_thread(const struct rsp_model *m, __u32 thread,
			char comm[static RSP_TASK_COMM_LEN])
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 ts_ns = t->end_ns <= m->until_ns ? t->end_ns - 1 : m->until_ns;
	const struct rsp_ev_task *task = rsp_trace_task(m->trace, t->tid, ts_ns);

	snprintf(comm, RSP_TASK_COMM_LEN, "%s", task ? task->comm : "?");
	rsp_text_clean(comm);
}

static __u32 tgid_of(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_ev_task *task = identity(m, &m->threads.v[thread]);

	return task ? task->tgid : m->threads.v[thread].tid;
}

static int compare_processes(const void *pa, const void *pb)
{
	const struct rsp_process *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->is_root < b->is_root ? -1 : a->is_root > b->is_root;
}

static void fill_process(const struct rsp_attribution *a, __u32 thread, struct rsp_process *ret)
{
	ret->tid = a->model->threads.v[thread].tid;
	ret->tgid = tgid_of(a->model, thread);
	name_thread(a->model, thread, ret->comm);
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++) {
		ret->cat_ns[cat] = a->parts[thread].cat_ns[cat];
		ret->ns += ret->cat_ns[cat];
	}
}

static int list_processes(const struct rsp_attribution *a, const struct roots *roots,
			  struct rsp_explanation *e)
{
	const struct rsp_model *m = a->model;
	size_t root = 0; /* both lists are in order of thread */

	e->processes = calloc(m->threads.cnt + 1, sizeof(*e->processes));
	if (!e->processes)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct rsp_process *p = &e->processes[e->process_cnt];

		while (root < roots->cnt && roots->v[root].thread < i)
			root++;
		p->is_root = root < roots->cnt && roots->v[root].thread == i &&
			     !roots->v[root].idle;
		fill_process(a, (__u32)i, p);
		if (!p->is_root && p->ns == 0) {
			*p = (struct rsp_process){0};
			continue;
		}
		e->process_cnt++;
		e->exec_cnt += m->threads.v[i].exec_cnt;
		e->fork_cnt += m->threads.v[i].fork_cnt;
	}
	qsort(e->processes, e->process_cnt, sizeof(*e->processes), compare_processes);
	return 0;
}

/* Chains know threads by their index in the model. */
static void number_hops(const struct rsp_model *m, struct rsp_explanation *e)
{
	for (size_t i = 0; i < e->chain_cnt; i++) {
		e->chains[i].longest.tid = m->threads.v[e->chains[i].longest.tid].tid;
		for (size_t j = 0; j < e->chains[i].hop_cnt; j++) {
			struct rsp_hop *hop = &e->chains[i].hops[j];

			hop->tgid = tgid_of(m, hop->tid);
			hop->tid = m->threads.v[hop->tid].tid;
		}
	}
}

static int list_chains(struct rsp_attribution *a, struct rsp_explanation *e)
{
	struct owned *owned = calloc(1, sizeof(*owned));
	int r;

	if (!owned)
		return -ENOMEM;
	e->arena = owned;
	r = rsp_chains_list(&a->chains, a->names, &owned->hops, &e->chains, &e->chain_cnt);
	if (r < 0)
		return r;
	owned->names = rsp_take_ptr(a->names);
	number_hops(a->model, e);
	return 0;
}

/* Idle threads are of the process, too: what they waited for is a fact like any other. */
static int survey(const struct rsp_model *m, const struct roots *roots, struct rsp_explanation *e)
{
	struct owned *owned = e->arena;
	_cleanup_free_ bool *target = calloc(m->threads.cnt + 1, sizeof(*target));

	if (!target)
		return -ENOMEM;
	for (size_t i = 0; i < roots->cnt; i++)
		target[roots->v[i].thread] = true;
	return rsp_survey_make(m, owned->names, target, &e->survey);
}

static void fill_totals(const struct rsp_attribution *a, const struct roots *roots,
			const struct target *target, struct rsp_explanation *e)
{
	const struct rsp_model *m = a->model;
	const struct rsp_meta *meta = &m->trace->snap->meta;
	__u64 oldest_ns = meta->window_oldest_ns;

	e->meta = meta;
	name_thread(m, target->main_thread, e->comm);
	e->wall_ns = m->until_ns - m->since_ns;
	e->window_ns = e->wall_ns;
	if (oldest_ns > m->since_ns)
		e->window_ns = oldest_ns < m->until_ns ? m->until_ns - oldest_ns : 0;
	for (size_t i = 0; i < roots->cnt; i++) {
		e->idle_root_cnt += roots->v[i].idle;
		if (!roots->v[i].idle)
			e->total_ns += roots->v[i].to_ns - roots->v[i].from_ns;
	}
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		e->cat_ns[cat] = a->cat_ns[cat];
	e->event_cnt = m->trace->event_cnt;
	e->lost_cnt = m->trace->lost_cnt;
}

/* --- the whole ------------------------------------------------------------------------------ */

static int attribute_roots(struct rsp_attribution *a, const struct roots *roots, size_t root_cnt)
{
	int r = 0;

	for (size_t i = 0; i < roots->cnt && r == 0; i++) {
		const struct root *root = &roots->v[i];

		if (!root->idle)
			r = rsp_attribute(a, root->thread, root->from_ns, root->to_ns, root_cnt--);
	}
	return r;
}

static int explain_roots(const struct rsp_model *m, const struct target *target,
			 struct roots *roots, struct rsp_explanation *e)
{
	struct rsp_attribution *a = NULL;
	int r;

	r = rsp_attribution_new(m, &a);
	if (r < 0)
		return r;
	e->root_cnt = (__u32)choose_roots(target, roots);
	r = attribute_roots(a, roots, e->root_cnt);
	if (r == 0) {
		fill_totals(a, roots, target, e);
		r = list_processes(a, roots, e);
	}
	if (r == 0)
		r = list_chains(a, e);
	if (r == 0)
		r = survey(m, roots, e);
	rsp_attribution_free(a);
	return r;
}

static int explain_model(const struct rsp_model *m, struct rsp_explanation *e)
{
	struct target target = find_target(m);
	struct roots roots = {0};
	int r;

	if (target.main_thread == RSP_NO_THREAD)
		return -ESRCH;
	r = find_roots(m, &target, &roots);
	if (r == 0)
		r = explain_roots(m, &target, &roots, e);
	free(roots.v);
	return r;
}

int rsp_explain(const struct rsp_trace *trace, struct rsp_explanation **ret)
{
	struct rsp_explanation *e;
	struct rsp_model *m;
	int r;

	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	r = rsp_model_new(trace, &m);
	if (r == 0) {
		r = explain_model(m, e);
		rsp_model_free(m);
	}
	if (r < 0) {
		rsp_explanation_free(e);
		return r;
	}
	*ret = e;
	return 0;
}

struct rsp_explanation *rsp_explanation_free(struct rsp_explanation *e)
{
	struct owned *owned;

	if (!e)
		return NULL;
	owned = e->arena;
	if (owned) {
		rsp_names_free(owned->names);
		rsp_arena_done(&owned->hops);
	}
	free(owned);
	free(e->chains);
	free(e->processes);
	rsp_survey_done(&e->survey);
	free(e);
	return NULL;
}

double rsp_explanation_accounted_pct(const struct rsp_explanation *e)
{
	__u64 unknown_ns = e->cat_ns[RSP_CAT_LOST] + e->cat_ns[RSP_CAT_EDGE] +
			   e->cat_ns[RSP_CAT_UNACCOUNTED];

	if (e->total_ns == 0)
		return 100;
	return 100.0 * (double)(e->total_ns - unknown_ns) / (double)e->total_ns;
}
