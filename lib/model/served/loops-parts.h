/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files loops*.c share. */
#ifndef RSP_LIB_LOOPS_PARTS_H
#define RSP_LIB_LOOPS_PARTS_H

#include "lib/model/served/loops.h"

/*
 * Maximum time from an arrival of data to the wakeup that it causes: both happen in one interrupt.
 */
#define RSP_WAKE_NS_MAX 50000

/*
 * Finds the threads of m->callers that share requests with other threads of their process. Adds
 * them to ret, which maps a tid to its tgid. Returns 0 or -ENOMEM.
 */
int rsp_loops_find_shared(const struct rsp_model *m, struct rsp_idmap *ret);

/* An event that a thread has not handled yet. */
struct rsp_event {
	__u64 ts_ns;
	__u32 request; /* index in the exchange, or RSP_NO_ROW */
	/* the trip that the event ends; RSP_NO_TRIP: the event is the arrival of the request */
	__u32 trip;
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

/* Adds an event at the end or, if first is true, before all others. Returns 0 or -ENOMEM. */
int rsp_events_add(struct rsp_events *q, struct rsp_event event, bool first);
/* The indices of earlier events grow by one; later events keep their indices. */
struct rsp_event rsp_events_take(struct rsp_events *q, size_t i);

/* The kinds are in order: among steps of the same time, events come before sends. */
enum rsp_step_kind {
	RSP_STEP_REQUEST,  /* a request arrives */
	RSP_STEP_ANSWERED, /* a call is answered */
	RSP_STEP_CALL,
	RSP_STEP_ANSWER,
};

/* Distinguishes process IDs from thread IDs, which are below PID_MAX_LIMIT, 2^22. */
#define RSP_STEP_PROCESS (1U << 31)

struct rsp_step {
	__u64 ts_ns;
	/* a tid; or RSP_STEP_PROCESS | tgid, if the threads of the process share requests */
	__u32 worker;
	/* index in the exchange (REQUEST, ANSWER) or in the trips (CALL, ANSWERED) */
	__u32 index : 30;
	__u32 kind : 2;
};

struct rsp_steps {
	struct rsp_step *v; /* by worker, then by time */
	size_t cnt, cap;
};

static inline bool rsp_step_is_process(const struct rsp_step *step)
{
	return step->worker & RSP_STEP_PROCESS;
}

/*
 * Lists the steps. shared: as in struct rsp_loops. Returns 0 or -ENOMEM; the caller frees ret->v in
 * any case.
 */
int rsp_steps_list(const struct rsp_model *m, const struct rsp_exchange *served,
		   const struct rsp_idmap *shared, struct rsp_steps *ret);

#endif
