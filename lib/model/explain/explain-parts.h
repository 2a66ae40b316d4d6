/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files explain*.c share. */
#ifndef RSP_LIB_EXPLAIN_PARTS_H
#define RSP_LIB_EXPLAIN_PARTS_H

#include "lib/model/attribute/attribute.h"
#include "lib/model/attribute/estimate.h"
#include "lib/model/explain/explain.h"
#include "lib/model/roots.h"
#include "lib/model/served/served.h"
#include "lib/model/waits/idle.h"
#include "lib/model/waits/polls.h"
#include "lib/model/waits/used.h"

struct rsp_explain {
	const struct rsp_model *model;
	unsigned int details; /* enum rsp_explain_details */
	struct rsp_names *names;
	struct rsp_arena *hops;
	struct rsp_polls *polls;
	struct rsp_estimate *estimate;
	struct rsp_roots roots;
	__u64 *waited_ns; /* as in struct rsp_attribution */
	struct rsp_reach reach;
	struct rsp_used *used; /* NULL: not wanted */
	struct rsp_awaited awaited;
	struct rsp_places places;
	struct rsp_idle idle;
	/*
	 * If both are unset, one process is explained. parts: only these parts of threads' lives
	 * are explained. all_own: all processes of the user are explained.
	 */
	struct rsp_served_parts *parts;
	bool all_own;
	/* the owner of names, polls, estimate and places; NULL: this struct owns them */
	struct rsp_explainer *shared;
};

/* The functions that return int return 0 or -ENOMEM. */
int rsp_explain_attribution(struct rsp_explain *x, struct rsp_attribution **ret);
int rsp_explain_chains(struct rsp_explain *x, const struct rsp_attribution *a, __u32 *of_node,
		       struct rsp_chain **ret, size_t *ret_cnt);
/* explain-paths.c: finds the control paths. */
int rsp_explain_paths(struct rsp_explain *x, struct rsp_path_profile *ret);
/*
 * explain-losses.c: rsp_explain_lost() counts the lost records that the explanation may lack,
 * rsp_explain_events() the records within the span.
 */
__u64 rsp_explain_lost(const struct rsp_model *m, const struct rsp_reach *reach);
__u64 rsp_explain_events(const struct rsp_model *m);
/*
 * explain-polls.c: finds the late polls of threads that have time in the categories timeout or
 * sleep.
 */
int rsp_explain_late_polls(struct rsp_explain *x, const struct rsp_attribution *a,
			   struct rsp_explanation *e);

#endif
