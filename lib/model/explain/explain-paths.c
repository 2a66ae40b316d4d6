/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the control paths (paths.h) of the process's threads, and lists them in a struct
 * rsp_path_profile for the reports.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/base/sort.h"
#include "lib/model/attribute/paths.h"
#include "lib/model/explain/explain-parts.h"
#include "lib/model/explain/handoffs.h"

static size_t order_roots(const struct rsp_roots *roots, struct rsp_path_root *ret,
			  bool *ret_has_main)
{
	size_t cnt = 0;

	*ret_has_main = false;
	for (size_t i = 0; i < roots->cnt; i++) {
		const struct rsp_root *root = &roots->v[i];

		if (root->idle)
			continue;
		ret[cnt++] = (struct rsp_path_root){root->thread, root->from_ns, root->to_ns};
		if (root->thread != roots->main_thread)
			continue;
		ret[cnt - 1] = ret[0];
		ret[0] = (struct rsp_path_root){root->thread, root->from_ns, root->to_ns};
		*ret_has_main = true;
	}
	return cnt;
}

static int trace_paths(struct rsp_explain *x, struct rsp_paths *p, struct rsp_attribution *a)
{
	_cleanup_free_ struct rsp_path_root *roots = calloc(x->roots.cnt + 1, sizeof(*roots));
	bool has_main;
	size_t cnt;

	if (!roots)
		return -ENOMEM;
	cnt = order_roots(&x->roots, roots, &has_main);
	return rsp_paths_trace(p, a, roots, cnt, has_main);
}

/* --- the lists ------------------------------------------------------------------------------ */

struct ranked_path {
	const struct rsp_path *path;
	__u32 index;
};

static int compare_paths(const void *pa, const void *pb)
{
	const struct ranked_path *a = pa, *b = pb;

	if ((a->index == 0) != (b->index == 0))
		return a->index == 0 ? -1 : 1;
	if (a->path->ns != b->path->ns)
		return a->path->ns > b->path->ns ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

static void fill_path(const struct rsp_explain *x, const struct rsp_path *path,
		      struct rsp_control_path *ret)
{
	const struct rsp_thread *t = &x->model->threads.v[path->thread];

	*ret = (struct rsp_control_path){
		.thread = path->thread,
		.tgid = rsp_thread_tgid(x->model, path->thread),
		.tid = t->tid,
		.is_root = path->is_root,
		.ns = path->ns,
		.from_ns = path->from_ns,
		.to_ns = path->to_ns,
		.stretch_cnt = path->stretch_cnt,
		.awaited_ns = path->awaited_ns,
	};
	ret->comm = rsp_names_text(
		x->names, rsp_names_thread(x->names, t, path->to_ns ? path->to_ns - 1 : 0));
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		ret->cat_ns[cat] = path->cat_ns[cat];
}

/* rank[path] gets the index of the path in the list. */
static int list_paths(const struct rsp_explain *x, const struct rsp_paths *p, __u32 *rank,
		      struct rsp_path_profile *ret)
{
	_cleanup_free_ struct ranked_path *ranked = calloc(p->list.cnt + 1, sizeof(*ranked));

	ret->v = calloc(p->list.cnt + 1, sizeof(*ret->v));
	if (!ranked || !ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < p->list.cnt; i++)
		ranked[i] = (struct ranked_path){&p->list.v[i], (__u32)i};
	qsort(ranked, p->list.cnt, sizeof(*ranked), compare_paths);
	for (size_t i = 0; i < p->list.cnt; i++) {
		rank[ranked[i].index] = (__u32)ret->cnt;
		if (ranked[i].path->ns == 0 && i > 0)
			continue; /* this path is empty, because other paths contain its work */
		fill_path(x, ranked[i].path, &ret->v[ret->cnt++]);
	}
	return 0;
}

static int compare_stacks(const void *pa, const void *pb)
{
	const struct rsp_pseudo_stack *a = pa, *b = pb;

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

static int list_stacks(const struct rsp_paths *p, const __u32 *rank, const __u32 *chain_of,
		       struct rsp_path_profile *ret)
{
	ret->stacks = calloc(p->pieces.cnt + 1, sizeof(*ret->stacks));
	if (!ret->stacks)
		return -ENOMEM;
	for (size_t i = 0; i < p->pieces.cnt; i++) {
		const struct rsp_path_piece *piece = &p->pieces.v[i];

		ret->stacks[i] = (struct rsp_pseudo_stack){
			.from_ns = piece->from_ns,
			.to_ns = piece->to_ns,
			.path = rank[piece->path],
			.chain = chain_of[piece->node],
		};
	}
	ret->stack_cnt = p->pieces.cnt;
	return rsp_sort(ret->stacks, ret->stack_cnt, sizeof(*ret->stacks), compare_stacks);
}

static void fill_totals(const struct rsp_explain *x, const struct rsp_attribution *a,
			struct rsp_path_profile *ret)
{
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++) {
		ret->cat_ns[cat] = a->cat_ns[cat];
		ret->total_ns += a->cat_ns[cat];
	}
	for (size_t i = 0; i < x->model->threads.cnt; i++) {
		__u64 ns = 0;

		for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
			ns += a->parts[i].cat_ns[cat];
		ret->thread_cnt += ns > 0;
	}
}

static int list_all(struct rsp_explain *x, const struct rsp_paths *p, struct rsp_attribution *a,
		    struct rsp_path_profile *ret)
{
	_cleanup_free_ __u32 *rank = calloc(p->list.cnt + 1, sizeof(*rank));
	_cleanup_free_ __u32 *chain_of = calloc(a->chains.nodes.cnt + 1, sizeof(*chain_of));
	int r = rank && chain_of ? 0 : -ENOMEM;

	if (r == 0)
		r = rsp_explain_chains(x, a, chain_of, &ret->chains, &ret->chain_cnt);
	if (r == 0)
		r = list_paths(x, p, rank, ret);
	if (r == 0)
		r = list_stacks(p, rank, chain_of, ret);
	if (r == 0)
		r = rsp_handoffs_find(x, p, ret);
	if (r == 0)
		fill_totals(x, a, ret);
	return r;
}

int rsp_explain_paths(struct rsp_explain *x, struct rsp_path_profile *ret)
{
	struct rsp_attribution *a = NULL;
	struct rsp_paths *p = NULL;
	int r;

	r = rsp_explain_attribution(x, &a);
	if (r == 0)
		r = rsp_paths_new(x->model, &p);
	if (r == 0)
		r = trace_paths(x, p, a);
	if (r == 0)
		r = list_all(x, p, a, ret);
	rsp_paths_free(p);
	rsp_attribution_free(a);
	return r;
}
