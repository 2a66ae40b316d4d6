/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the request for which a thread sent data.
 *
 * An event is the arrival of a request, or the answer to a call that the thread made for a request.
 * A call does not name its request, so RSP infers the request: a thread handles events in the order
 * in which they come, which is the order of epoll's ready list (ep_poll_callback() in
 * fs/eventpoll.c). A call belongs to the event that the thread handles at the time of the call. An
 * event that ends a sleep of the thread is handled before older events, because the thread went to
 * sleep without looking for the older events.
 *
 * In a runtime that moves tasks between threads (Go), the threads of a process share one queue.
 */
#ifndef RSP_LIB_LOOPS_H
#define RSP_LIB_LOOPS_H

#include "lib/model/model.h"
#include "lib/model/requests/requests.h"

/* A call or an answer. */
struct rsp_loop_send {
	__u64 ts_ns;
	__u32 tid;
	/* index of the request in the exchange; RSP_NO_ROW: unknown, or no request */
	__u32 request;
	bool is_answer;
};

struct rsp_loop_trip {
	__u32 request;
	__u32 trip; /* index in the model's trips */
};

struct rsp_loops {
	struct {
		struct rsp_loop_send *v; /* by thread, then by time */
		size_t cnt, cap;
	} sends;
	struct {
		struct rsp_loop_trip *v; /* sorted by the request, then by the time of the answer */
		size_t cnt, cap;
	} trips;
	/* maps the tid of a thread that shares requests with others to its tgid */
	struct rsp_idmap shared;
};

/* Adds the threads that answered a request of the row to ret. Returns 0 or -ENOMEM. */
int rsp_loops_callers(const struct rsp_exchange *served, const struct rsp_request_row *row,
		      struct rsp_idmap *ret);

/*
 * Finds the sends and trips of the threads that were passed to rsp_model_new_trips(). Returns 0 or
 * -ENOMEM.
 */
int rsp_loops_find(const struct rsp_model *m, const struct rsp_exchange *served,
		   struct rsp_loops *ret);
void rsp_loops_done(struct rsp_loops *loops);

/*
 * Returns the index of the first send of tid after ts_ns. If there is no such send, returns the
 * index of the entry after the sends of tid.
 */
size_t rsp_loops_send_after(const struct rsp_loops *loops, __u32 tid, __u64 ts_ns);
/*
 * Returns the index of the first trip of a request. If the request has no trip, returns the index
 * at which it would be.
 */
size_t rsp_loops_trip_of(const struct rsp_loops *loops, __u32 request);

#endif
