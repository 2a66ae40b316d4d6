/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts that make an explanation. */
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

/* State while an explanation is made. */
struct rsp_explain {
	const struct rsp_model *model;
	unsigned int details;	 /* enum rsp_explain_details */
	struct rsp_names *names; /* of the explanation, as hops is */
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
	 * Set if not a process is explained: these parts of threads' lives, unless NULL; or all
	 * processes of the user.
	 */
	struct rsp_served_parts *parts;
	bool all_own;
	struct rsp_explainer *shared; /* has names, polls, estimate and places; NULL: none */
};

/* Makes an attribution with the fields that all explanations share. 0 or -ENOMEM. */
int rsp_explain_attribution(struct rsp_explain *x, struct rsp_attribution **ret);
/* All: 0 or -ENOMEM. */
int rsp_explain_chains(struct rsp_explain *x, const struct rsp_attribution *a, __u32 *of_node,
		       struct rsp_chain **ret, size_t *ret_cnt);
/* explain-paths.c */
int rsp_explain_paths(struct rsp_explain *x, struct rsp_path_profile *ret);
/*
 * explain-losses.c: the lost records that matter for the explanation; the records within the span.
 */
__u64 rsp_explain_lost(const struct rsp_model *m, const struct rsp_reach *reach);
__u64 rsp_explain_events(const struct rsp_model *m);
/* explain-polls.c: finds late polls by the threads that, according to the attribution, waited
 * until a timeout. */
int rsp_explain_late_polls(struct rsp_explain *x, const struct rsp_attribution *a,
			   struct rsp_explanation *e);

#endif
