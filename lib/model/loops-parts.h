/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files behind loops.h. */
#ifndef RSP_LIB_LOOPS_PARTS_H
#define RSP_LIB_LOOPS_PARTS_H

#include "loops.h"

/* Data that arrives wakes a thread within this time, in the same interrupt. */
#define RSP_WAKE_NS_MAX 50000

/*
 * Adds the threads of m->callers that share requests with others of their process to ret: tid ->
 * tgid. Returns 0 or -ENOMEM.
 */
int rsp_loops_find_shared(const struct rsp_model *m, struct rsp_idmap *ret);

/* An event that a thread has not handled yet. */
struct rsp_event {
	__u64 ts_ns;
	__u32 request; /* or RSP_NO_ROW */
	__u32 trip;    /* RSP_NO_TRIP: it is the arrival of the request */
};

/* Events from head to cnt - 1, in the order in which the thread handles them. */
struct rsp_events {
	struct rsp_event *v;
	size_t head, cnt, cap;
};

static inline bool rsp_events_is_empty(const struct rsp_events *q)
{
	return q->head == q->cnt;
}

/* Adds an event at the end, or before all others. Takes constant time, on average. 0 or -ENOMEM. */
int rsp_events_add(struct rsp_events *q, struct rsp_event event, bool first);
/* Takes the event with this index out; later ones keep their indices, earlier ones move up by one.
 */
struct rsp_event rsp_events_take(struct rsp_events *q, size_t i);

#endif
