/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See explain.h. attribute.h and paths.h have the rules of attribution. */
#include "lib/model/explain/explain.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/model/explain/explain-parts.h"

#define ALL_DETAILS (RSP_EXPLAIN_PATHS | RSP_EXPLAIN_MACHINE)

struct owned {
	struct rsp_names *names;
	struct rsp_arena hops;
};

static const char *container_of(const struct rsp_model *m, struct rsp_names *names, __u32 thread)
{
	return rsp_names_text(names, rsp_names_container(names, rsp_thread_last_task(m, thread)));
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

static __u64 ns_of(const struct rsp_attribution *a, __u32 thread)
{
	__u64 ns = 0;

	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		ns += a->parts[thread].cat_ns[cat];
	return ns;
}

static void fill_process(const struct rsp_attribution *a, __u32 thread, struct rsp_process *ret)
{
	ret->tid = a->model->threads.v[thread].tid;
	ret->tgid = rsp_thread_tgid(a->model, thread);
	rsp_thread_comm(a->model, thread, ret->comm);
	ret->container = container_of(a->model, a->names, thread);
	ret->ns = ns_of(a, thread);
	memcpy(ret->cat_ns, a->parts[thread].cat_ns, sizeof(ret->cat_ns));
}

enum kin {
	KIN_UNKNOWN,
	KIN_OTHER,
	KIN_OWN, /* belongs to the process of interest or to its descendants */
};

/* Returns an array of enum kin by thread, in which only the roots are known. NULL: no memory. */
static enum kin *new_kin(const struct rsp_model *m, const struct rsp_roots *roots)
{
	enum kin *kin = calloc(m->threads.cnt + 1, sizeof(*kin));

	for (size_t i = 0; kin && i < roots->cnt; i++)
		kin[roots->v[i].thread] = KIN_OWN;
	return kin;
}

static bool is_descendant(const struct rsp_model *m, enum kin *kin, __u32 thread)
{
	__u32 known = thread;

	for (; known != RSP_NO_THREAD && !kin[known]; known = m->threads.v[known].parent)
		/* set first, so that the search ends even if the links form a circle */
		kin[known] = KIN_OTHER;
	if (known == RSP_NO_THREAD || kin[known] == KIN_OTHER)
		return false;
	for (; thread != known; thread = m->threads.v[thread].parent)
		kin[thread] = KIN_OWN;
	return true;
}

static int list_processes(const struct rsp_attribution *a, const struct rsp_roots *roots,
			  struct rsp_explanation *e)
{
	const struct rsp_model *m = a->model;
	_cleanup_free_ enum kin *kin = new_kin(m, roots);
	size_t root = 0; /* index into roots, which are sorted by the thread index */

	e->processes = calloc(m->threads.cnt + 1, sizeof(*e->processes));
	if (!kin || !e->processes)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct rsp_process *p = &e->processes[e->process_cnt];

		while (root < roots->cnt && roots->v[root].thread < i)
			root++;
		p->is_root = root < roots->cnt && roots->v[root].thread == i &&
			     !roots->v[root].idle;
		if (!p->is_root && ns_of(a, (__u32)i) == 0)
			continue;
		fill_process(a, (__u32)i, p);
		e->process_cnt++;
		if (!is_descendant(m, kin, (__u32)i))
			continue;
		e->exec_cnt += m->threads.v[i].exec_cnt;
		e->fork_cnt += m->threads.v[i].fork_cnt;
	}
	qsort(e->processes, e->process_cnt, sizeof(*e->processes), compare_processes);
	return 0;
}

static void number_hops(const struct rsp_model *m, struct rsp_chain *chains, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		chains[i].longest.tid = m->threads.v[chains[i].longest.tid].tid;
		for (size_t j = 0; j < chains[i].hop_cnt; j++) {
			struct rsp_hop *hop = &chains[i].hops[j];

			hop->tgid = rsp_thread_tgid(m, hop->tid);
			hop->tid = m->threads.v[hop->tid].tid;
		}
	}
}

int rsp_explain_chains(struct rsp_explain *x, const struct rsp_attribution *a, __u32 *of_node,
		       struct rsp_chain **ret, size_t *ret_cnt)
{
	int r = rsp_chains_list(&a->chains, x->names, x->hops, of_node, ret, ret_cnt);

	if (r == 0)
		number_hops(x->model, *ret, *ret_cnt);
	return r;
}

/* The target threads include idle threads, because their waits are facts, too. */
static int survey(struct rsp_explain *x, struct rsp_explanation *e)
{
	_cleanup_free_ bool *target = calloc(x->model->threads.cnt + 1, sizeof(*target));

	if (!target)
		return -ENOMEM;
	for (size_t i = 0; i < x->roots.cnt; i++)
		target[x->roots.v[i].thread] = true;
	return rsp_survey_make(x->model, x->names, target, x->waited_ns,
			       x->details & RSP_EXPLAIN_MACHINE, &e->survey);
}

/*
 * Returns the item of enum rsp_shed that the recorder leaves out at this step, in addition to the
 * items of the earlier steps.
 */
static enum rsp_shed left_out(const struct rsp_ev_shed *shed, __u32 step)
{
	static const enum rsp_shed samples_early[RSP_SHED_CNT] = {
		RSP_SHED_NOTHING,    RSP_SHED_WAKER_STACKS, RSP_SHED_SAMPLES,
		RSP_SHED_HOT_STACKS, RSP_SHED_STACKS,	    RSP_SHED_SLICES};

	return shed->hdr.flags & RSP_SHED_SAMPLES_LAST ? step : samples_early[step];
}

static bool leaves_out_too(__u32 step, __u32 other)
{
	return step != RSP_SHED_SLICES || other < RSP_SHED_STACKS;
}

static void add_shed(const struct rsp_model *m, const struct rsp_ev_shed *shed,
		     struct rsp_explanation *e)
{
	__u64 from_ns = shed->from_ns > m->since_ns ? shed->from_ns : m->since_ns;
	__u64 to_ns = shed->hdr.ts_ns < m->until_ns ? shed->hdr.ts_ns : m->until_ns;

	if (to_ns <= from_ns)
		return;
	for (__u32 step = RSP_SHED_NOTHING + 1; step <= shed->step && step < RSP_SHED_CNT; step++)
		if (leaves_out_too(shed->step, step))
			e->shed_ns[left_out(shed, step)] += to_ns - from_ns;
	e->budget_ppm = shed->budget_ppm;
}

static void fill_totals(const struct rsp_attribution *a, const struct rsp_roots *roots,
			struct rsp_explanation *e)
{
	const struct rsp_model *m = a->model;
	__u64 oldest_ns = m->trace->snap->meta.window_oldest_ns;

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
	e->event_cnt = rsp_explain_events(m);
	e->left_out_cnt = m->trace->snap->left_out_cnt;
	e->left_out_ns = m->trace->snap->left_out_ns;
	for (size_t i = 0; i < m->trace->sheds.cnt; i++)
		add_shed(m, m->trace->sheds.v[i], e);
	e->requested_ns = rsp_gap_within(&m->requested, m->since_ns, m->until_ns);
	/* the time of the pauses that no user requested belongs to SLICES */
	e->shed_ns[RSP_SHED_SLICES] += rsp_model_paused_ns(m) - e->requested_ns;
}

/* --- all together --------------------------------------------------------------------------- */

static bool is_of_process(const struct rsp_explain *x)
{
	return !x->parts && !x->all_own;
}

static int attribute_roots(const struct rsp_explain *x, struct rsp_attribution *a)
{
	const struct rsp_roots *roots = &x->roots;
	size_t left_cnt = roots->chosen_cnt;
	int r = 0;

	for (size_t i = 0; i < roots->cnt && r == 0; i++) {
		const struct rsp_root *root = &roots->v[i];

		if (root->idle)
			continue;
		if (x->parts)
			r = rsp_served_parts_turn(x->parts, i);
		if (r < 0)
			break;
		r = rsp_attribute(a, root->thread, root->from_ns, root->to_ns, left_cnt--);
		a->root++;
	}
	return r;
}

static bool was_run(const struct rsp_model *m)
{
	return *m->trace->snap->meta.command != '\0';
}

int rsp_explain_attribution(struct rsp_explain *x, struct rsp_attribution **ret)
{
	int r = rsp_attribution_new(x->model, x->names, x->polls, x->estimate, ret);

	if (r < 0)
		return r;
	(*ret)->reach = &x->reach;
	(*ret)->used = x->used;
	(*ret)->places = &x->places;
	(*ret)->idle = is_of_process(x) ? &x->idle : NULL;
	(*ret)->awaited = x->roots.chosen_cnt > 1 && is_of_process(x) ? &x->awaited : NULL;
	(*ret)->never_idle = was_run(x->model) ? x->roots.main_thread : RSP_NO_THREAD;
	return 0;
}

static __u32 find_main(const struct rsp_roots *roots)
{
	__u32 place = 0;

	for (size_t i = 0; i < roots->cnt; i++) {
		if (roots->v[i].thread == roots->main_thread)
			return roots->v[i].idle ? UINT32_MAX : place;
		place += !roots->v[i].idle;
	}
	return UINT32_MAX;
}

static int measure(const struct rsp_explain *x, const __u32 *chain_of_node,
		   struct rsp_explanation *e)
{
	struct rsp_clock_sum sum;
	int r;

	e->clock_ns = e->total_ns;
	if (e->root_cnt <= 1 || x->parts)
		return 0;
	r = rsp_clock_finish(&e->clock, chain_of_node);
	if (r == 0)
		r = rsp_clock_measure(&e->clock, NULL, &sum);
	if (r < 0)
		return r;
	e->by_main = was_run(x->model) && sum.main_ns > 0;
	e->clock_ns = e->by_main ? sum.main_ns : sum.ns;
	return 0;
}

static bool is_idle(const struct rsp_chain *chain)
{
	return chain->hops[chain->hop_cnt - 1].category == RSP_CAT_IDLE;
}

/* The length of a union of intervals. Intervals must be added in order of their beginning. */
struct sweep {
	__u64 ns, until_ns;
};

static void sweep_add(struct sweep *s, __u64 from_ns, __u64 to_ns)
{
	if (from_ns < s->until_ns)
		from_ns = s->until_ns;
	if (from_ns >= to_ns)
		return;
	s->ns += to_ns - from_ns;
	s->until_ns = to_ns;
}

/*
 * Adds the pending intervals, from index k on, that begin before ts_ns. Returns the index after
 * them.
 */
static size_t sweep_pending(struct sweep *s, const struct rsp_explain *x, size_t k, __u64 ts_ns)
{
	const struct rsp_busy_spans *pending = &x->idle.service.any;
	__u64 since_ns = x->model->since_ns, until_ns = x->model->until_ns;

	for (; k < pending->cnt && pending->v[k].from_ns < ts_ns; k++)
		sweep_add(s, pending->v[k].from_ns > since_ns ? pending->v[k].from_ns : since_ns,
			  pending->v[k].to_ns < until_ns ? pending->v[k].to_ns : until_ns);
	return k;
}

static void measure_idle(const struct rsp_explain *x, const struct rsp_attribution *a,
			 struct rsp_explanation *e)
{
	struct sweep busy = {0};
	size_t k = 0;

	e->idle_ns = a->idle_ns;
	if (e->clock.cnt == 0)
		return;
	for (size_t i = 0; i < e->clock.cnt; i++) {
		const struct rsp_clock_piece *piece = &e->clock.v[i];

		if (is_idle(&e->chains[piece->chain]) ||
		    (e->by_main && piece->root != e->clock.main_root))
			continue;
		k = sweep_pending(&busy, x, k, piece->from_ns);
		sweep_add(&busy, piece->from_ns, piece->to_ns);
	}
	sweep_pending(&busy, x, k, UINT64_MAX);
	e->idle_ns = e->clock_ns > busy.ns ? e->clock_ns - busy.ns : 0;
}

static int list_chains(struct rsp_explain *x, const struct rsp_attribution *a,
		       struct rsp_explanation *e)
{
	_cleanup_free_ __u32 *chain_of_node = calloc(a->chains.nodes.cnt + 1, sizeof(__u32));
	int r = chain_of_node ? 0 : -ENOMEM;

	if (r == 0)
		r = rsp_explain_chains(x, a, chain_of_node, &e->chains, &e->chain_cnt);
	if (r == 0)
		r = measure(x, chain_of_node, e);
	if (r == 0 && !x->parts)
		measure_idle(x, a, e);
	return r;
}

static bool is_sum(const struct rsp_explain *x)
{
	return x->parts && x->roots.cnt > 1;
}

static int explain_roots(struct rsp_explain *x, struct rsp_explanation *e)
{
	struct rsp_attribution *a;
	int r;

	r = rsp_explain_attribution(x, &a);
	if (r < 0)
		return r;
	a->waited_ns = x->waited_ns;
	e->clock.main_root = find_main(&x->roots);
	a->clock = x->roots.chosen_cnt > 1 && !x->parts ? &e->clock : NULL;
	r = attribute_roots(x, a);
	if (r == 0) {
		fill_totals(a, &x->roots, e);
		if (!is_sum(x))
			r = list_processes(a, &x->roots, e);
	}
	if (r == 0)
		r = list_chains(x, a, e);
	if (r == 0 && !is_sum(x))
		r = rsp_explain_late_polls(x, a, e);
	rsp_attribution_free(a);
	return r;
}

static void fill_target(const struct rsp_explain *x, struct rsp_explanation *e)
{
	e->meta = &x->model->trace->snap->meta;
	e->main_thread = x->roots.main_thread;
	e->root_cnt = x->roots.chosen_cnt;
	e->idle_is_inferred = x->idle.rests;
	e->is_asleep = x->idle.rests && x->idle.is_asleep;
	e->serves = x->idle.service.serves;
	e->requests = x->idle.service.sum;
	e->trace = x->parts ? NULL : x->model->trace;
	rsp_thread_comm(x->model, e->main_thread, e->comm);
	e->container = container_of(x->model, x->names, e->main_thread);
}

static int explain_chains(struct rsp_explain *x, struct rsp_explanation *e)
{
	const struct rsp_model *m = x->model;
	int r;

	x->reach = (struct rsp_reach){m->since_ns, m->until_ns, m->since_ns};
	x->waited_ns = calloc(m->span_cnt + 1, sizeof(*x->waited_ns));
	r = x->waited_ns ? explain_roots(x, e) : -ENOMEM;
	e->lost_cnt = rsp_explain_lost(m, &x->reach);
	return r;
}

static int explain_all(struct rsp_explain *x, struct rsp_explanation *e)
{
	int r = explain_chains(x, e);

	if (r == 0 && x->details & RSP_EXPLAIN_PATHS)
		r = rsp_explain_paths(x, &e->paths);
	if (r == 0 && !is_sum(x))
		r = survey(x, e);
	e->lost_cnt = rsp_explain_lost(x->model, &x->reach);
	return r;
}

static int explain_only_paths(struct rsp_explain *x, struct rsp_explanation *e)
{
	return rsp_explain_paths(x, &e->paths);
}

typedef int (*explain_fn)(struct rsp_explain *x, struct rsp_explanation *e);

static int find_roots(struct rsp_explain *x)
{
	if (x->all_own)
		return rsp_roots_find_own(x->model, &x->roots);
	return x->parts ? rsp_served_parts_roots(x->parts, &x->roots)
			: rsp_roots_find(x->model, &x->roots);
}

static int prepare_model(struct rsp_explain *x)
{
	const struct rsp_model *m = x->model;
	int r = rsp_polls_new(m, &x->polls);

	if (r == 0)
		r = rsp_places_find(m, &x->places);
	return r == 0 ? rsp_estimate_new(m, x->names, &x->estimate) : r;
}

struct rsp_explainer {
	struct rsp_explain of_model;
};

static int borrow(struct rsp_explain *x)
{
	const struct rsp_explain *from = &x->shared->of_model;

	x->polls = from->polls;
	x->places = from->places;
	x->estimate = from->estimate;
	return 0;
}

static int prepare(struct rsp_explain *x)
{
	const struct rsp_model *m = x->model;
	int r = find_roots(x);

	/* rsp_idle_find() comes first, because it needs much memory for a short time. */
	if (r == 0 && is_of_process(x))
		r = rsp_idle_find(m, &x->roots, was_run(m), x->used, &x->idle);
	if (r == 0)
		r = x->shared ? borrow(x) : prepare_model(x);
	return r == 0 ? rsp_awaited_find(m, &x->roots, x->polls, x->used, &x->awaited) : r;
}

static void explain_done(struct rsp_explain *x)
{
	free(x->waited_ns);
	rsp_awaited_done(&x->awaited);
	if (!x->shared) {
		rsp_polls_free(x->polls);
		rsp_places_done(&x->places);
		rsp_estimate_free(x->estimate);
	}
	rsp_idle_done(&x->idle);
	rsp_roots_done(&x->roots);
}

static int explain_process(struct rsp_explain x, explain_fn explain, struct rsp_explanation *e)
{
	struct owned *owned = calloc(1, sizeof(*owned));
	int r;

	if (!owned)
		return -ENOMEM;
	e->arena = owned;
	r = x.shared ? 0 : rsp_names_new(x.model->trace, &owned->names);
	if (r < 0)
		return r;
	x.names = x.shared ? x.shared->of_model.names : owned->names;
	x.hops = &owned->hops;
	r = prepare(&x);
	if (r == 0) {
		fill_target(&x, e);
		r = explain(&x, e);
	}
	explain_done(&x);
	return r;
}

static int make_explanation_of(struct rsp_explain x, explain_fn explain,
			       struct rsp_explanation **ret)
{
	struct rsp_explanation *e = calloc(1, sizeof(*e));
	int r = e ? explain_process(x, explain, e) : -ENOMEM;

	if (r < 0) {
		rsp_explanation_free(e);
		return r;
	}
	*ret = e;
	return 0;
}

static int make_explanation(const struct rsp_model *m, explain_fn explain, unsigned int details,
			    struct rsp_used *used, struct rsp_explanation **ret)
{
	return make_explanation_of(
		(struct rsp_explain){.model = m, .details = details, .used = used}, explain, ret);
}

int rsp_explain_parts(struct rsp_served_parts *s, struct rsp_explanation **ret)
{
	return make_explanation_of((struct rsp_explain){.model = &s->model, .parts = s},
				   explain_all, ret);
}

int rsp_explain_model(const struct rsp_model *m, struct rsp_explanation **ret)
{
	return make_explanation(m, explain_all, ALL_DETAILS, NULL, ret);
}

int rsp_explain_model_chains(const struct rsp_model *m, struct rsp_explanation **ret)
{
	return make_explanation(m, explain_chains, 0, NULL, ret);
}

int rsp_explainer_new(const struct rsp_model *m, struct rsp_explainer **ret)
{
	struct rsp_explainer *x = calloc(1, sizeof(*x));
	int r;

	if (!x)
		return -ENOMEM;
	x->of_model.model = m;
	r = rsp_names_new(m->trace, &x->of_model.names);
	if (r == 0)
		r = prepare_model(&x->of_model);
	if (r < 0)
		rsp_explainer_free(x);
	else
		*ret = x;
	return r;
}

struct rsp_explainer *rsp_explainer_free(struct rsp_explainer *x)
{
	if (!x)
		return NULL;
	explain_done(&x->of_model);
	rsp_names_free(x->of_model.names);
	free(x);
	return NULL;
}

int rsp_explainer_chains(struct rsp_explainer *x, struct rsp_explanation **ret)
{
	return make_explanation_of((struct rsp_explain){.model = x->of_model.model, .shared = x},
				   explain_chains, ret);
}

int rsp_explain_model_used(const struct rsp_model *m, struct rsp_used *used,
			   struct rsp_explanation **ret)
{
	return make_explanation(m, explain_all, ALL_DETAILS, used, ret);
}

static int mark_chains(struct rsp_explain *x)
{
	const struct rsp_model *m = x->model;
	struct rsp_attribution *a;
	int r;

	if (!x->roots.chosen_cnt)
		return 0;
	x->reach = (struct rsp_reach){m->since_ns, m->until_ns, m->since_ns};
	r = rsp_explain_attribution(x, &a);
	if (r < 0)
		return r;
	r = attribute_roots(x, a);
	rsp_attribution_free(a);
	return r;
}

int rsp_explain_own_used(const struct rsp_model *m, struct rsp_used *used)
{
	struct rsp_explain x = {.model = m, .used = used, .all_own = true};
	int r = rsp_names_new(m->trace, &x.names);

	if (r < 0)
		return r;
	r = prepare(&x);
	if (r == 0)
		r = mark_chains(&x);
	explain_done(&x);
	rsp_names_free(x.names);
	return r;
}

int rsp_explain_model_paths(const struct rsp_model *m, struct rsp_explanation **ret)
{
	return make_explanation(m, explain_only_paths, ALL_DETAILS, NULL, ret);
}

int rsp_explain_details(const struct rsp_trace *trace, unsigned int details,
			struct rsp_explanation **ret)
{
	struct rsp_model *m;
	int r = rsp_model_new(trace, &m);

	if (r < 0)
		return r;
	r = make_explanation(m, explain_all, details, NULL, ret);
	rsp_model_free(m);
	return r;
}

int rsp_explain(const struct rsp_trace *trace, struct rsp_explanation **ret)
{
	return rsp_explain_details(trace, ALL_DETAILS, ret);
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
	free(e->paths.v);
	free(e->paths.chains);
	free(e->paths.stacks);
	free(e->paths.handoffs);
	free(e->late_polls);
	free(e->processes);
	rsp_clock_done(&e->clock);
	rsp_survey_done(&e->survey);
	free(e);
	return NULL;
}

double rsp_accounted_pct(const __u64 cat_ns[static RSP_CAT_MAX], __u64 total_ns)
{
	__u64 unknown_ns = cat_ns[RSP_CAT_LOST] + cat_ns[RSP_CAT_UNRECORDED] +
			   cat_ns[RSP_CAT_EDGE] + cat_ns[RSP_CAT_UNACCOUNTED];

	if (total_ns == 0)
		return 100;
	return 100.0 * (double)(total_ns - unknown_ns) / (double)total_ns;
}

double rsp_explanation_accounted_pct(const struct rsp_explanation *e)
{
	return rsp_accounted_pct(e->cat_ns, e->total_ns);
}
