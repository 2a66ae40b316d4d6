/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks the parts of a model that an explanation uses: spans of threads, turns on CPUs, disk
 * requests. If u is NULL, the functions mark nothing.
 */
#ifndef RSP_LIB_USED_H
#define RSP_LIB_USED_H

#include "lib/model/model.h"
#include "lib/model/waits/polls.h"

struct rsp_used {
	const struct rsp_model *model; /* borrowed */
	bool *spans;		       /* [number of a span] */
	bool *requests;		       /* [index in model->ops.requests] */
	bool **turns;		       /* [CPU][index of a turn] */
};

/* Returns 0 or -ENOMEM. */
int rsp_used_new(const struct rsp_model *m, struct rsp_used **ret);
struct rsp_used *rsp_used_free(struct rsp_used *u);

/* Marks span i of a thread, and the span before it, which shows how span i began. */
void rsp_used_span(struct rsp_used *u, __u32 thread, size_t i);
/* Marks the spans that overlap [from_ns, to_ns). */
void rsp_used_spans(struct rsp_used *u, __u32 thread, __u64 from_ns, __u64 to_ns);
void rsp_used_turn(struct rsp_used *u, __u32 cpu, size_t i);
void rsp_used_request(struct rsp_used *u, __u32 request);
/* Marks the spans of a poll, and the spans that show the thread that the poll was for. */
void rsp_used_poll(struct rsp_used *u, const struct rsp_poll *poll);

#endif
