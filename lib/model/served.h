/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains requests by what the answering threads did. The explained time is that of the thread
 * from the arrival to the first byte of the answer.
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
 * Parts to explain together, for rsp_explain_parts(). Contains copies of the snapshot, the trace
 * and the model whose subject differs: the process of the first part, and the span of all parts.
 * The originals must outlive it.
 */
struct rsp_served_parts {
	struct rsp_snapshot snap;
	struct rsp_trace trace;
	struct rsp_model model;
	const struct rsp_model *whole;
	const struct rsp_served_part *v; /* at least one; borrowed */
	size_t cnt;
	struct rsp_trips trips; /* trips of the current part */
};

/* m must record trips (rsp_model_new_trips()). */
void rsp_served_parts_init(struct rsp_served_parts *s, const struct rsp_model *m,
			   const struct rsp_served_part *v, size_t cnt);
void rsp_served_parts_done(struct rsp_served_parts *s);

/* Called by explain.c. All parts are roots; part i is attributed next. Both return 0 or -ENOMEM. */
int rsp_served_parts_roots(const struct rsp_served_parts *s, struct rsp_roots *ret);
int rsp_served_parts_turn(struct rsp_served_parts *s, size_t i);

/* Returns the thread that answered, or RSP_NO_THREAD if the model does not know it. */
__u32 rsp_served_thread(const struct rsp_model *m, const struct rsp_served *served);

/*
 * Finds the part of that thread's life that explains an answered request: from the arrival, or the
 * thread's birth, until the answer. Returns false if there is none.
 */
bool rsp_served_part_of(const struct rsp_model *m, const struct rsp_served *served,
			struct rsp_served_part *ret);

/* The indices of all answered requests, sorted by answering thread and time. */
struct rsp_answers {
	__u32 *v;
	size_t cnt;
};
int rsp_answers_find(const struct rsp_exchange *x, struct rsp_answers *ret); /* -ENOMEM */
void rsp_answers_done(struct rsp_answers *a);

/*
 * The time a request waited because its thread was busy with other requests. It ends with the last
 * answer to another request before the thread waits for events again (poll, epoll_wait, ...) or
 * answers this request.
 */
struct rsp_behind {
	__u64 ns;
	__u32 cnt; /* number of other requests answered in that time */
};
struct rsp_behind rsp_served_behind(const struct rsp_model *m, const struct rsp_exchange *x,
				    const struct rsp_answers *answers, __u32 request);

#endif
