/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of a survey are made from and share. Each table is a file of its own. */
#ifndef RSP_LIB_SURVEY_PARTS_H
#define RSP_LIB_SURVEY_PARTS_H

#include "survey.h"

struct rsp_survey_scope {
	const struct rsp_model *model;
	struct rsp_names *names;
	const bool *target;	   /* one for each thread: of the process of interest */
	const __u64 *waited_ns;	   /* by the number of a span: the process of interest in it */
	bool with_machine;	   /* false: only what findings use */
	__u32 *lives;		   /* all threads, by tid, then by birth */
	struct rsp_idmap lives_of; /* tid -> index of its first life << 32 | behind its last */
};

/* A blocked span of a thread, as far as it lies in the span asked for. */
struct rsp_survey_wait {
	__u32 thread;
	const struct rsp_span *span;
	__u64 from_ns, ns;
	__u64 target_ns; /* how long the process of interest waited in it */
};

struct rsp_survey_waking {
	const struct rsp_ev_waking *ev;
	__u32 wakee;			     /* thread, or RSP_NO_THREAD */
	const struct rsp_survey_wait *ended; /* the wait that it ended, or NULL */
};

/*
 * A table of the survey is made from all waits, then from all wakeups and other records in the
 * order of time. It is given those that it has a function for, and appends its rows in the end. All
 * return 0 or -ENOMEM.
 */
struct rsp_survey_table {
	/* NULL: no memory. What it returns is handed to the others, and freed by end. */
	void *(*begin)(const struct rsp_survey_scope *s, struct rsp_survey *ret);
	int (*on_wait)(void *table, const struct rsp_survey_wait *w);
	int (*on_waking)(void *table, const struct rsp_survey_waking *w);
	int (*on_net)(void *table, const struct rsp_ev_net *ev);
	int (*on_irq)(void *table, const struct rsp_ev_irq *ev);
	int (*end)(void *table);
};

extern const struct rsp_survey_table rsp_survey_io, rsp_survey_net, rsp_survey_locks,
	rsp_survey_irqs, rsp_survey_edges;

/* How much of [from_ns, to_ns) lies in the span asked for. */
__u64 rsp_survey_clip(const struct rsp_survey_scope *s, __u64 from_ns, __u64 to_ns);
bool rsp_survey_within(const struct rsp_survey_scope *s, __u64 ts_ns);
/* Which thread had a tid at a time, or RSP_NO_THREAD. */
__u32 rsp_survey_thread(const struct rsp_survey_scope *s, __u32 tid, __u64 ts_ns);
/* The text of a number; "" is never NULL. */
const char *rsp_survey_text(const struct rsp_survey_scope *s, __u32 text);

/* For qsort(): more comes first. */
static inline int rsp_survey_more(__u64 a, __u64 b)
{
	return a > b ? -1 : a < b;
}

#endif
