/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the tables of a survey share. */
#ifndef RSP_LIB_SURVEY_PARTS_H
#define RSP_LIB_SURVEY_PARTS_H

#include "lib/model/survey/survey.h"

struct rsp_survey_scope {
	const struct rsp_model *model;
	struct rsp_names *names;
	/* [thread]: whether the thread belongs to the process of interest */
	const bool *target;
	/* [number of a span]: the time for which the process of interest waited in the span */
	const __u64 *waited_ns;
	bool with_machine; /* false: make only the parts that findings use */
	__u32 *lives;	   /* all threads of the model, in order of tid, then of birth */
	/*
	 * maps a tid to its range in lives: index of the first life << 32 | index after the last
	 * life
	 */
	struct rsp_idmap lives_of;
};

/* A blocked span of a thread, clipped to the requested span. */
struct rsp_survey_wait {
	__u32 thread;
	const struct rsp_span *span;
	__u64 from_ns, ns;
	__u64 target_ns;
};

struct rsp_survey_waking {
	const struct rsp_ev_waking *ev;
	__u32 wakee;			     /* thread, or RSP_NO_THREAD */
	const struct rsp_survey_wait *ended; /* the wait that the wakeup ended, or NULL */
};

/*
 * A table of the survey. Its functions are called for all waits, then for the wakeups, NET and IRQ
 * records in order of time. on_wait, on_waking, on_net and on_irq may be NULL. end completes and
 * sorts the rows in the survey. The functions that return int return 0 or -ENOMEM.
 */
struct rsp_survey_table {
	/*
	 * Returns the state of the table, or NULL if memory runs out. The other functions get this
	 * state, and end frees it.
	 */
	void *(*begin)(const struct rsp_survey_scope *s, struct rsp_survey *ret);
	int (*on_wait)(void *table, const struct rsp_survey_wait *w);
	int (*on_waking)(void *table, const struct rsp_survey_waking *w);
	int (*on_net)(void *table, const struct rsp_ev_net *ev);
	int (*on_irq)(void *table, const struct rsp_ev_irq *ev);
	int (*end)(void *table);
};

extern const struct rsp_survey_table rsp_survey_io, rsp_survey_net, rsp_survey_locks,
	rsp_survey_irqs, rsp_survey_edges;

/* Returns the length of the part of [from_ns, to_ns) that lies in the requested span. */
__u64 rsp_survey_clip(const struct rsp_survey_scope *s, __u64 from_ns, __u64 to_ns);
bool rsp_survey_within(const struct rsp_survey_scope *s, __u64 ts_ns);
/*
 * Returns the last thread with this tid that began at ts_ns or before. If there is no such thread,
 * returns the first thread with this tid: its beginning was not recorded. RSP_NO_THREAD: the tid is
 * unknown.
 */
__u32 rsp_survey_thread(const struct rsp_survey_scope *s, __u32 tid, __u64 ts_ns);
/* Never returns NULL. */
const char *rsp_survey_text(const struct rsp_survey_scope *s, __u32 text);

/* Compares for qsort(), so that the larger value comes first. */
static inline int rsp_survey_more(__u64 a, __u64 b)
{
	return a > b ? -1 : a < b;
}

#endif
