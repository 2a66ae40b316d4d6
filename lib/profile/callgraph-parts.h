/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call graph that the writers of text and JSON share. */
#ifndef RSP_LIB_CALLGRAPH_PARTS_H
#define RSP_LIB_CALLGRAPH_PARTS_H

#include "lib/profile/callgraph.h"
#include "lib/profile/function-list.h"

struct rsp_callgraph {
	const struct rsp_callgraph_options *opt;
	const struct rsp_profile *profile;
	struct rsp_function_list functions;
	__u32 function; /* function of the graph; RSP_NO_FUNCTION: all */
	struct rsp_calls callers, descendants;
	/* longest time first */
	struct rsp_callgraph_order {
		__u32 *v;     /* indexes of nodes, grouped by parent */
		__u32 *first; /* per node: index of its first child in v; last: the end of v */
		__u32 root_cnt;
	} caller_order, descendant_order;
};

static inline __u32 rsp_callgraph_children(const struct rsp_callgraph_order *order, __u32 node)
{
	return order->first[node + 1] - order->first[node];
}

int rsp_callgraph_text(const struct rsp_callgraph *g, FILE *out);
int rsp_callgraph_json(const struct rsp_callgraph *g, FILE *out); /* 0 or -ENOMEM */

#endif
