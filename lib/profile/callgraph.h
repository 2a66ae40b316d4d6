/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a profile as a call graph, as text or JSON. A call graph contains the list of all
 * functions, and trees of the callers and the callees of one function, as in Sysprof. A bottom-up
 * graph instead lists functions by their own time, each with a tree of its callers.
 */
#ifndef RSP_LIB_CALLGRAPH_H
#define RSP_LIB_CALLGRAPH_H

#include <stdio.h>

#include "lib/profile/profile.h"

struct rsp_callgraph_options {
	/* function to show with its callers and callees; NULL: all functions */
	const char *function;
	bool bottom_up;
	bool json, pretty;
	unsigned int width; /* columns of the terminal; 0: 80 */
	/* maximum number of rows of each part; 0: the defaults in callgraph-text.c */
	size_t row_max;
	const char *title; /* like "On-CPU time of make [120]" */
};

/*
 * Writes the call graph. Returns 0, -ENOENT if the function does not exist, -ENOMEM, or -errno of
 * the stream.
 */
int rsp_callgraph_report(const struct rsp_profile *p, const struct rsp_callgraph_options *opt,
			 FILE *out);

#endif
