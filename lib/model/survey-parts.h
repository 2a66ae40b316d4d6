/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of a survey are made from and share. Each table is a file of its own. */
#ifndef RSP_LIB_SURVEY_PARTS_H
#define RSP_LIB_SURVEY_PARTS_H

#include "survey.h"

struct rsp_survey_scope {
	const struct rsp_model *model;
	struct rsp_names *names;
	const bool *target; /* one for each thread: of the process of interest */
	const struct rsp_waited *waited;
	__u32 *lives; /* all threads, by tid, then by birth */
};

/* A blocked span of a thread, as far as it lies in the span asked for. */
struct rsp_survey_wait {
	__u32 thread;
	size_t i; /* the span after it */
	const struct rsp_span *span;
	__u64 from_ns, ns;
	__u64 target_ns; /* how long the process of interest waited in it */
};

/* Each appends the rows of its table, ordered. 0 or -ENOMEM. */
int rsp_survey_io(const struct rsp_survey_scope *s, struct rsp_survey *ret);
int rsp_survey_net(const struct rsp_survey_scope *s, struct rsp_survey *ret);
int rsp_survey_locks(const struct rsp_survey_scope *s, struct rsp_survey *ret);
int rsp_survey_irqs(const struct rsp_survey_scope *s, struct rsp_survey *ret);
int rsp_survey_edges(const struct rsp_survey_scope *s, struct rsp_survey *ret);

/* How much of [from_ns, to_ns) lies in the span asked for. */
__u64 rsp_survey_clip(const struct rsp_survey_scope *s, __u64 from_ns, __u64 to_ns);
bool rsp_survey_within(const struct rsp_survey_scope *s, __u64 ts_ns);
/* Which thread had a tid at a time, or RSP_NO_THREAD. */
__u32 rsp_survey_thread(const struct rsp_survey_scope *s, __u32 tid, __u64 ts_ns);
/* Steps through all waits, thread by thread; w starts zeroed. False at the end. */
bool rsp_survey_next_wait(const struct rsp_survey_scope *s, struct rsp_survey_wait *w);
/*
 * The wait that this wakeup ended, or false. Called in the order of time; passed: one for each
 * thread, zeroes at first.
 */
bool rsp_survey_ended_wait(const struct rsp_survey_scope *s, const struct rsp_ev_waking *waking,
			   size_t *passed, struct rsp_survey_wait *ret);
/* The text of a number; "" is never NULL. */
const char *rsp_survey_text(const struct rsp_survey_scope *s, __u32 text);

/* For qsort(): more comes first. */
static inline int rsp_survey_more(__u64 a, __u64 b)
{
	return a > b ? -1 : a < b;
}

#endif
