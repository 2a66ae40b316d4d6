/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile -> a call graph for a person or a program, as in Sysprof: all functions; the callers of
 * one of them; what it called, as a tree. Or bottom-up: functions by their own time, and their
 * callers as trees.
 */
#ifndef RSP_LIB_CALLGRAPH_H
#define RSP_LIB_CALLGRAPH_H

#include <stdio.h>

#include "profile.h"

struct rsp_callgraph_options {
	const char *function; /* whose callers and callees; NULL: the tree of all calls */
	bool bottom_up;
	bool json, pretty;
	unsigned int width; /* of the terminal; 0: 80 */
	size_t row_max;	    /* of each part; 0: as fits */
	const char *title;  /* "On-CPU time of make [120]" */
};

/* 0; -ENOENT: there is no such function; -ENOMEM, or -errno of the stream. */
int rsp_callgraph_report(const struct rsp_profile *p, const struct rsp_callgraph_options *opt,
			 FILE *out);

#endif
