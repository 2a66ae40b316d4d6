/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the request of interest asked of others: an event loop serves many requests at once, so what
 * ends its sleeps is mostly someone else's doing. This one waited for the answers that it was sent
 * on with. For the model's request_tid alone.
 */
#ifndef RSP_LIB_REQUEST_H
#define RSP_LIB_REQUEST_H

#include "model.h"

/* model.c: notes what the thread asks as a client within the span, and when it is answered. */
int rsp_request_net(struct rsp_model *m, const struct rsp_ev_net *ev); /* 0 or -ENOMEM */

/*
 * Once all is noted: leaves those that were the request's. It ended with what the thread did right
 * after the last answer, without sleeping again; that had been asked for right after the answer
 * before, and so on.
 */
void rsp_request_find(struct rsp_model *m);

struct rsp_trips {
	struct rsp_trip *v; /* by time, disjoint */
	size_t cnt, cap;
};

/*
 * Returns the trip that lasts at ts_ns, or else the next one of the thread. Returns NULL if there
 * is none.
 */
const struct rsp_trip *rsp_request_trip(const struct rsp_model *m, const struct rsp_thread *t,
					__u64 ts_ns);

/* Returns whether the thread sleeps to wait for events (poll, epoll_wait, ...). */
bool rsp_request_is_look(const struct rsp_span *span);

/* Returns when the thread next sleeps to wait for events, at most to_ns. */
__u64 rsp_request_next_look(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns);

#endif
