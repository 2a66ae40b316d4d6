/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the calls to other services that the request of interest waited for. An event loop serves
 * many requests at once, so events of other requests end most of its sleeps. Applies only to the
 * model's request_tid.
 */
#ifndef RSP_LIB_REQUEST_H
#define RSP_LIB_REQUEST_H

#include "lib/model/model.h"

struct rsp_trips {
	struct rsp_trip *v; /* by time, disjoint */
	size_t cnt, cap;
};

/* Returns the trip of the thread that contains ts_ns, or else the thread's next trip, or NULL. */
const struct rsp_trip *rsp_request_trip(const struct rsp_model *m, const struct rsp_thread *t,
					__u64 ts_ns);

/*
 * Returns whether the span is a sleep in which the thread waits for events (poll, epoll_wait, ...).
 */
bool rsp_request_is_look(const struct rsp_span *span);

/*
 * Returns the time after from_ns at which the thread next begins to wait for events, to_ns at most.
 */
__u64 rsp_request_next_look(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns);

#endif
