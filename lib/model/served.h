/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests -> what the threads that answered them did meanwhile. A request's time is that of the
 * thread from the arrival to the first byte of the answer.
 */
#ifndef RSP_LIB_SERVED_H
#define RSP_LIB_SERVED_H

#include "request.h"
#include "requests.h"
#include "roots.h"

/* Part of a thread's life. */
struct rsp_served_part {
	__u32 thread; /* index in the model */
	__u64 from_ns, to_ns;
};

/*
 * Some parts, for rsp_explain_parts(). Copies of the snapshot, the trace and the model that
 * differ in their subject: the process of the first part, and the span of all of them. The
 * originals outlive it.
 */
struct rsp_served_parts {
	struct rsp_snapshot snap;
	struct rsp_trace trace;
	struct rsp_model model;
	const struct rsp_model *whole;
	const struct rsp_served_part *v; /* at least one; borrowed */
	size_t cnt;
	struct rsp_trips trips; /* of the one whose turn it is */
};

/* m keeps trips (rsp_model_new_trips()). */
void rsp_served_parts_init(struct rsp_served_parts *s, const struct rsp_model *m,
			   const struct rsp_served_part *v, size_t cnt);
void rsp_served_parts_done(struct rsp_served_parts *s);

/* explain.c: all of them are roots; number i is attributed next. 0 or -ENOMEM. */
int rsp_served_parts_roots(const struct rsp_served_parts *s, struct rsp_roots *ret);
int rsp_served_parts_turn(struct rsp_served_parts *s, size_t i);

/* The thread that answered; RSP_NO_THREAD: the model does not know it. */
__u32 rsp_served_thread(const struct rsp_model *m, const struct rsp_served *served);

/*
 * The part of the life of that thread which explains an answered request: from the arrival, or from
 * the thread's birth, until the answer. False if there is none.
 */
bool rsp_served_part_of(const struct rsp_model *m, const struct rsp_served *served,
			struct rsp_served_part *ret);

/* The answers of all threads, by thread and time: indices of requests. */
struct rsp_answers {
	__u32 *v;
	size_t cnt;
};
int rsp_answers_find(const struct rsp_exchange *x, struct rsp_answers *ret); /* -ENOMEM */
void rsp_answers_done(struct rsp_answers *a);

/*
 * How long a request waited because its thread was busy with others: from the arrival until the
 * last answer to another request before the thread looked for events again (poll and its kin), or
 * answered this one.
 */
struct rsp_behind {
	__u64 ns;
	__u32 cnt; /* how many others it answered in that time */
};
struct rsp_behind rsp_served_behind(const struct rsp_model *m, const struct rsp_exchange *x,
				    const struct rsp_answers *answers, __u32 request);

#endif
