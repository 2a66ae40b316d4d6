/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests that the process of interest serves, and the calls that it makes. */
#ifndef RSP_LIB_SERVICE_H
#define RSP_LIB_SERVICE_H

#include "lib/model/model.h"
#include "lib/model/requests/requests.h"
#include "lib/model/roots.h"

struct rsp_busy_span {
	__u64 from_ns, to_ns;
	union {
		const struct rsp_ev_socket *call; /* the socket of a call; NULL: a request */
		/* sum of the lengths of earlier intervals; only in a list without overlaps */
		__u64 before_ns;
	};
	/* 1 + index of the newest earlier interval that ends later; 0: no such interval */
	size_t longer;
};

struct rsp_busy_spans {
	struct rsp_busy_span *v;
	size_t cnt, cap;
};

struct rsp_service {
	/* a thread of the process waited at a listening or an accepted socket, or got a request */
	bool serves;
	/* times in which at least one request or call is pending, in order, without overlaps */
	struct rsp_busy_spans any;
	struct rsp_busy_spans calls; /* each call, in order of its beginning */
	/*
	 * Each answered request, in order of its beginning. A request without an answer is not in
	 * the list, because it may be a message that needs no answer.
	 */
	struct rsp_busy_spans answered;
	struct rsp_requests_sum sum; /* statistics of its requests */
};

/*
 * Finds the requests and calls of the process. *ret is all zero if the model explains a single
 * request. Returns 0 or -ENOMEM.
 */
int rsp_service_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     struct rsp_service *ret);
void rsp_service_done(struct rsp_service *s);

/* Returns whether the socket listens, or its connection was accepted. */
bool rsp_service_is_served(const struct rsp_ev_socket *sock);

/*
 * Returns the newest interval that contains ts_ns, and its end in *ret_until_ns. If no interval
 * contains ts_ns, returns NULL, and *ret_until_ns is the beginning of the next interval, or
 * UINT64_MAX.
 */
const struct rsp_busy_span *rsp_busy_at(const struct rsp_busy_spans *p, __u64 ts_ns,
					__u64 *ret_until_ns);
/*
 * Returns the total time of the intervals of a list without overlaps within [from_ns, to_ns).
 * *ret_cnt: an upper limit for the number of these intervals.
 */
__u64 rsp_busy_within(const struct rsp_busy_spans *p, __u64 from_ns, __u64 to_ns, size_t *ret_cnt);

#endif
