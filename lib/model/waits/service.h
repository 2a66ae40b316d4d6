/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests that the process of interest serves, and the calls that it makes: how many, how long
 * they took, and when any of them was pending.
 */
#ifndef RSP_LIB_SERVICE_H
#define RSP_LIB_SERVICE_H

#include "lib/model/model.h"
#include "lib/model/requests/requests.h"
#include "lib/model/roots.h"

struct rsp_busy_span {
	__u64 from_ns, to_ns;
	union {
		const struct rsp_ev_socket *call; /* the socket of a call; NULL: a request */
		__u64 before_ns;		  /* disjoint list: the sum of the earlier ones */
	};
	size_t longer; /* number of the newest earlier interval that ends later; 0: none */
};

struct rsp_busy_spans {
	struct rsp_busy_span *v;
	size_t cnt, cap;
};

struct rsp_service {
	/* A thread of the process waited at a listening or an accepted socket, or answered. */
	bool serves;
	/* times in which at least one request or call is pending: disjoint, in order of time */
	struct rsp_busy_spans any;
	struct rsp_busy_spans calls; /* each call, in order of its beginning */
	/* Each answered request, in order of its beginning. Requests without an answer may be
	 * messages that need none. */
	struct rsp_busy_spans answered;
	struct rsp_requests_sum sum; /* statistics of its requests */
};

/* Zeroes if the model explains a single request. 0 or -ENOMEM. */
int rsp_service_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     struct rsp_service *ret);
void rsp_service_done(struct rsp_service *s);

/* Whether the process serves the socket: it listens, or its connection was accepted. */
bool rsp_service_is_served(const struct rsp_ev_socket *sock);

/*
 * Returns the interval that contains ts_ns (if there are several, the newest), or NULL.
 * *ret_until_ns: its end. Without an interval, the beginning of the next one, or UINT64_MAX if
 * there is none.
 */
const struct rsp_busy_span *rsp_busy_at(const struct rsp_busy_spans *p, __u64 ts_ns,
					__u64 *ret_until_ns);
/*
 * Returns the time within [from_ns, to_ns) in which something was pending. ret_cnt: the number of
 * intervals.
 */
__u64 rsp_busy_within(const struct rsp_busy_spans *p, __u64 from_ns, __u64 to_ns, size_t *ret_cnt);

#endif
