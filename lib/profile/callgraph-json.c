/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a call graph as JSON. docs/diff.md documents each field. */
#include <errno.h>

#include "lib/base/json.h"
#include "lib/profile/callgraph-parts.h"

#define CALLGRAPH_VERSION 1
/* Maximum depth of a tree. The time of deeper nodes is part of the total of the node above them. */
#define DEPTH_MAX	  200

static int add_names(struct json_object *o, const struct rsp_callgraph *g, __u32 function)
{
	int r = rsp_json_add_string(o, "name", rsp_function_name(&g->functions, function));

	return r | rsp_json_add_string(o, "module", rsp_function_module(&g->functions, function));
}

struct filling {
	const struct rsp_callgraph *g;
	const struct rsp_calls *calls;
	const struct rsp_callgraph_order *order;
	const char *children; /* "callees" or "callers" */
	__u32 node;
	size_t depth;
};

static struct json_object *children_of(const struct filling *x, __u32 first, __u32 cnt);

static int fill_node(struct json_object *o, const void *from)
{
	const struct filling *x = from;
	const struct rsp_calls_node *node = &x->calls->nodes.v[x->node];
	int r = add_names(o, x->g, node->function);

	r |= rsp_json_add_number(o, "self", node->self);
	r |= rsp_json_add_number(o, "total", node->total);
	r |= rsp_json_add_number(o, "count", node->cnt);
	return r | rsp_json_add(o, x->children,
				children_of(x, x->order->first[x->node],
					    x->depth < DEPTH_MAX
						    ? rsp_callgraph_children(x->order, x->node)
						    : 0));
}

static struct json_object *children_of(const struct filling *x, __u32 first, __u32 cnt)
{
	struct json_object *array = json_object_new_array();

	for (__u32 i = first; array && i < first + cnt; i++) {
		struct filling child = *x;

		child.node = x->order->v[i];
		child.depth++;
		if (rsp_json_append(array, rsp_json_object_of(fill_node, &child)) < 0) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static struct json_object *functions_of(const struct rsp_callgraph *g)
{
	struct json_object *array = json_object_new_array();

	for (__u32 i = 0; array && i < g->functions.list.cnt; i++) {
		const struct rsp_function *function = &g->functions.list.v[i];
		struct json_object *o = json_object_new_object();
		int r = o ? add_names(o, g, i) : -ENOMEM;

		if (r == 0) {
			r |= rsp_json_add_number(o, "self", function->self);
			r |= rsp_json_add_number(o, "total", function->total);
			r |= rsp_json_add_number(o, "self_count", function->self_cnt);
			r |= rsp_json_add_number(o, "total_count", function->total_cnt);
		}
		if (r < 0 || rsp_json_append(array, o) < 0) {
			if (r < 0)
				json_object_put(o);
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static int fill(struct json_object *o, const void *from)
{
	const struct rsp_callgraph *g = from;
	struct filling up = {g, &g->callers, &g->caller_order, "callers", 0, 0};
	struct filling down = {g, &g->descendants, &g->descendant_order, "callees", 0, 0};
	int r = rsp_json_add_number(o, "callgraph_version", CALLGRAPH_VERSION);

	r |= rsp_json_add_string(o, "title", g->opt->title);
	r |= rsp_json_add_string(o, "unit", g->profile->unit);
	r |= rsp_json_add_number(o, "total", g->profile->total);
	if (g->function != RSP_NO_FUNCTION)
		r |= rsp_json_add_string(o, "function",
					 rsp_function_name(&g->functions, g->function));
	r |= rsp_json_add(o, "functions", functions_of(g));
	r |= rsp_json_add(o, "callers", children_of(&up, 0, g->caller_order.root_cnt));
	return r |
	       rsp_json_add(o, "descendants", children_of(&down, 0, g->descendant_order.root_cnt));
}

int rsp_callgraph_json(const struct rsp_callgraph *g, FILE *out)
{
	struct json_object *o = rsp_json_object_of(fill, g);
	const char *text;

	if (!o)
		return -ENOMEM;
	text = json_object_to_json_string_ext(o, g->opt->pretty ? JSON_C_TO_STRING_PRETTY |
									  JSON_C_TO_STRING_SPACED
								: JSON_C_TO_STRING_PLAIN);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(o);
	return text ? 0 : -ENOMEM;
}
