/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a call graph as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/profile/callgraph-parts.h"

#define COLUMNS		80
#define NAME_MIN	16
#define FUNCTIONS_MAX	20
#define CALLERS_MAX	20
#define DESCENDANTS_MAX 40
/* maximum indentation, in columns */
#define INDENT_MAX	24
/* Trees leave out nodes, except roots, with less than 1/200 of the profile's weight. */
#define TREE_DIVISOR	200

#define TITLE_COLS  60
#define TITLE_BYTES RSP_FORMAT_NAME_BYTES(TITLE_COLS)

#define FIGURE_COLS 10
#define SHARE_COLS  8

struct writer {
	const struct rsp_callgraph *g;
	FILE *out;
	/* width: columns of a row; left: rows that the current part may still contain */
	size_t width, left;
	bool shows_self; /* false in trees of callers, where a node's own time has no meaning */
};

static void put_right(const struct writer *w, const char *text, size_t cols)
{
	size_t have = rsp_format_columns(text);

	fprintf(w->out, "%*s%s", (int)(have < cols ? cols - have : 0), "", text);
}

static const char *weight_text(const struct writer *w, __u64 weight,
			       char text[static RSP_FORMAT_MAX])
{
	if (weight == 0)
		snprintf(text, RSP_FORMAT_MAX, "–");
	else if (!strcmp(w->g->profile->unit, "ns"))
		rsp_format_ns(weight, text, RSP_FORMAT_MAX);
	else if (!strcmp(w->g->profile->unit, "bytes"))
		rsp_format_bytes(weight, text, RSP_FORMAT_MAX);
	else
		snprintf(text, RSP_FORMAT_MAX, "%llu", weight);
	return text;
}

static void put_weight(const struct writer *w, __u64 weight)
{
	char text[RSP_FORMAT_MAX];

	put_right(w, weight_text(w, weight, text), FIGURE_COLS);
}

static void put_share(const struct writer *w, __u64 weight)
{
	char text[RSP_FORMAT_MAX];

	put_right(w, rsp_format_share(weight, w->g->profile->total, text, sizeof(text)),
		  SHARE_COLS);
}

static void put_name(const struct writer *w, __u32 function, size_t used)
{
	const char *module = "", *name = "[no function]";
	char text[RSP_FORMAT_NAME_BYTES(256)];
	size_t room = w->width > used + NAME_MIN ? w->width - used : NAME_MIN, cols;

	if (function != RSP_NO_FUNCTION) {
		name = rsp_function_name(&w->g->functions, function);
		module = rsp_function_module(&w->g->functions, function);
	}
	rsp_format_name(name, room < 256 ? room : 256, text, sizeof(text));
	fputs(text, w->out);
	cols = rsp_format_columns(text);
	if (*module && !strstr(name, "(no symbols)") && cols + strlen(" ()") + 4 <= room) {
		rsp_format_name(module, room - cols - strlen(" ()"), text, sizeof(text));
		fprintf(w->out, " (%s)", text);
	}
	fputc('\n', w->out);
}

static void put_functions(const struct writer *w, size_t max)
{
	const struct rsp_function_list *f = &w->g->functions;
	size_t cnt = f->list.cnt < max ? f->list.cnt : max;

	fprintf(w->out,
		"\nFunctions (%zu of %zu)\n\n      self       %%     total       %%  name\n", cnt,
		f->list.cnt);
	for (__u32 i = 0; i < cnt; i++) {
		const struct rsp_function *function = &f->list.v[i];

		put_weight(w, function->self);
		put_share(w, function->self);
		put_weight(w, function->total);
		put_share(w, function->total);
		fputs("  ", w->out);
		put_name(w, i, 2 * (FIGURE_COLS + SHARE_COLS) + 2);
	}
}

static void put_tree(struct writer *w, const struct rsp_calls *calls,
		     const struct rsp_callgraph_order *order, __u32 first, __u32 cnt, size_t depth)
{
	__u64 least = w->g->profile->total / TREE_DIVISOR;

	for (__u32 i = first; i < first + cnt && w->left; i++) {
		const struct rsp_calls_node *node = &calls->nodes.v[order->v[i]];
		size_t indent = 2 * depth < INDENT_MAX ? 2 * depth : INDENT_MAX;

		if (node->total < least && depth > 0)
			break;
		w->left--;
		if (w->shows_self)
			put_weight(w, node->self);
		put_weight(w, node->total);
		put_share(w, node->total);
		fprintf(w->out, "  %*s", (int)indent, "");
		put_name(w, node->function,
			 (w->shows_self ? 2 : 1) * FIGURE_COLS + SHARE_COLS + 2 + indent);
		put_tree(w, calls, order, order->first[order->v[i]],
			 rsp_callgraph_children(order, order->v[i]), depth + 1);
	}
}

static void put_part(struct writer *w, const char *title, const struct rsp_calls *calls,
		     const struct rsp_callgraph_order *order, size_t max)
{
	fprintf(w->out, "\n%s\n\n%s     total       %%  name\n", title,
		w->shows_self ? "      self" : "");
	w->left = max;
	put_tree(w, calls, order, 0, order->root_cnt, 0);
}

static const char *title_name(const struct rsp_callgraph *g, char buf[static TITLE_BYTES])
{
	return rsp_format_name(rsp_function_name(&g->functions, g->function), TITLE_COLS, buf,
			       TITLE_BYTES);
}

static void put_callers(const struct writer *w, size_t max)
{
	const struct rsp_callgraph *g = w->g;
	const struct rsp_callgraph_order *order = &g->caller_order;
	const struct rsp_calls_node *nodes = g->callers.nodes.v;
	__u64 without = g->callers.nodes.cnt ? nodes[0].total : 0;
	__u32 cnt = g->callers.nodes.cnt ? rsp_callgraph_children(order, 0) : 0;
	char title[TITLE_BYTES];

	fprintf(w->out, "\nCallers of %s\n\n     total       %%  name\n", title_name(w->g, title));
	for (__u32 i = 0; i < cnt; i++) {
		const struct rsp_calls_node *node = &nodes[order->v[order->first[0] + i]];

		without -= node->total;
		if (i >= max)
			continue;
		put_weight(w, node->total);
		put_share(w, node->total);
		fputs("  ", w->out);
		put_name(w, node->function, FIGURE_COLS + SHARE_COLS + 2);
	}
	if (without) {
		put_weight(w, without);
		put_share(w, without);
		fputs("  [outermost]\n", w->out);
	}
}

int rsp_callgraph_text(const struct rsp_callgraph *g, FILE *out)
{
	struct writer w = {.g = g, .out = out, .width = g->opt->width ? g->opt->width : COLUMNS};
	size_t max = g->opt->row_max;
	char title[TITLE_BYTES + 32], name[TITLE_BYTES], text[RSP_FORMAT_MAX];

	fprintf(out, "%s: %s\n", g->opt->title, weight_text(&w, g->profile->total, text));
	if (g->functions.list.cnt == 0)
		return 0;
	if (g->opt->bottom_up) {
		put_part(&w, "Functions by their own time, below each its callers", &g->callers,
			 &g->caller_order, max ? max : DESCENDANTS_MAX);
		return 0;
	}
	if (!g->opt->function)
		put_functions(&w, max ? max : FUNCTIONS_MAX);
	if (g->opt->function)
		put_callers(&w, max ? max : CALLERS_MAX);
	snprintf(title, sizeof(title), "Descendants of %s",
		 g->opt->function ? title_name(g, name) : "all outermost functions");
	w.shows_self = true;
	put_part(&w, title, &g->descendants, &g->descendant_order, max ? max : DESCENDANTS_MAX);
	return 0;
}
