/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See callgraph.h. */
#include "lib/profile/callgraph-parts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"

struct ranked {
	__u32 parent, node; /* parent: 1 + its index; 0: none */
	__u64 total;
};

static int compare(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

/* In a bottom-up tree, the total of a root is the function's own time. */
static int put_in_order(const struct rsp_calls *c, struct rsp_callgraph_order *ret)
{
	_cleanup_free_ struct ranked *ranked = calloc(c->nodes.cnt + 1, sizeof(*ranked));
	size_t at = 0;

	ret->v = calloc(c->nodes.cnt + 1, sizeof(*ret->v));
	ret->first = calloc(c->nodes.cnt + 2, sizeof(*ret->first));
	if (!ranked || !ret->v || !ret->first)
		return -ENOMEM;
	for (__u32 i = 0; i < c->nodes.cnt; i++)
		ranked[i] = (struct ranked){c->nodes.v[i].parent + 1, i, c->nodes.v[i].total};
	qsort(ranked, c->nodes.cnt, sizeof(*ranked), compare);
	for (size_t i = 0; i < c->nodes.cnt; i++)
		ret->v[i] = ranked[i].node;
	while (at < c->nodes.cnt && ranked[at].parent == 0)
		at++;
	ret->root_cnt = (__u32)at;
	for (__u32 i = 0; i <= c->nodes.cnt; i++) {
		ret->first[i] = (__u32)at;
		while (at < c->nodes.cnt && ranked[at].parent == i + 1)
			at++;
	}
	return 0;
}

static void graph_done(struct rsp_callgraph *g)
{
	rsp_function_list_done(&g->functions);
	rsp_calls_done(&g->callers);
	rsp_calls_done(&g->descendants);
	free(g->caller_order.v);
	free(g->caller_order.first);
	free(g->descendant_order.v);
	free(g->descendant_order.first);
}

static int make(struct rsp_callgraph *g)
{
	const struct rsp_callgraph_options *opt = g->opt;
	int r = rsp_function_list_make(g->profile, &g->functions);

	g->function = RSP_NO_FUNCTION;
	if (r < 0)
		return r;
	if (opt->function) {
		g->function = rsp_function_list_find(&g->functions, opt->function);
		if (g->function == RSP_NO_FUNCTION)
			return -ENOENT;
	}
	r = rsp_calls_make(&g->functions, g->function, RSP_CALLS_UP, &g->callers);
	if (r == 0)
		r = put_in_order(&g->callers, &g->caller_order);
	if (r == 0)
		r = rsp_calls_make(&g->functions, g->function, RSP_CALLS_DOWN, &g->descendants);
	return r < 0 ? r : put_in_order(&g->descendants, &g->descendant_order);
}

int rsp_callgraph_report(const struct rsp_profile *p, const struct rsp_callgraph_options *opt,
			 FILE *out)
{
	_cleanup_(graph_done) struct rsp_callgraph g = {.opt = opt, .profile = p};
	int r = make(&g);

	if (r == 0)
		r = opt->json ? rsp_callgraph_json(&g, out) : rsp_callgraph_text(&g, out);
	if (r == 0 && (fflush(out) != 0 || ferror(out)))
		r = errno ? -errno : -EIO;
	return r;
}
