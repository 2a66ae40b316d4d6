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
 * Finds the trips of any request that the thread answered at until_ns, if the model records trips.
 * Considers only trips that began after from_ns. Replaces the contents of ret. Returns 0 or
 * -ENOMEM.
 */
int rsp_request_choose(const struct rsp_model *m, __u32 thread, __u64 from_ns, __u64 until_ns,
		       struct rsp_trips *ret);

/* The one that thread waits for at ts_ns if it polls; NULL: none. */
const struct rsp_trip *rsp_request_trip(const struct rsp_model *m, const struct rsp_thread *t,
					__u64 ts_ns);

#endif
