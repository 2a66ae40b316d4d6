/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the call of each request: the same request as its client sent it. Both ends of the
 * connection must be recorded. On one connection, requests do not overlap, so a request and its
 * call are matched by their times.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/base/sort.h"
#include "lib/model/requests/requests-parts.h"

struct flow_call {
	__u64 flow, arrival_ns;
	__u32 index;
};

static int compare_calls(const void *pa, const void *pb)
{
	const struct flow_call *a = pa, *b = pb;

	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	if (a->arrival_ns != b->arrival_ns)
		return a->arrival_ns < b->arrival_ns ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Returns the number of calls, or -ENOMEM. */
static ssize_t list_calls(const struct rsp_requests *r, struct flow_call *v)
{
	size_t cnt = 0;

	for (size_t i = 0; i < r->calls.cnt; i++) {
		const struct rsp_served *call = &r->calls.v[i];
		const struct rsp_ev_socket *sock = r->connections.v[call->connection].sock;

		if (sock)
			v[cnt++] = (struct flow_call){rsp_requests_flow(sock, false),
						      call->arrival_ns, (__u32)i};
	}
	return rsp_sort(v, cnt, sizeof(*v), compare_calls) < 0 ? -ENOMEM : (ssize_t)cnt;
}

static bool is_pending(const struct rsp_served *call, __u64 ts_ns)
{
	__u64 end_ns = call->first_ns ? call->first_ns : call->until_ns;

	return !end_ns || ts_ns <= end_ns;
}

static __u32 find_caller(const struct rsp_requests *r, const struct flow_call *v, size_t cnt,
			 const struct rsp_served *request)
{
	const struct rsp_ev_socket *sock = r->connections.v[request->connection].sock;
	struct flow_call key = {.arrival_ns = request->arrival_ns, .index = UINT32_MAX};
	size_t from = 0;

	if (!sock || !request->arrival_ns)
		return RSP_NO_ROW;
	key.flow = rsp_requests_flow(sock, true);
	while (cnt) {
		size_t half = cnt / 2;

		if (compare_calls(&v[from + half], &key) > 0) {
			cnt = half;
			continue;
		}
		from += half + 1;
		cnt -= half + 1;
	}
	if (!from || v[from - 1].flow != key.flow ||
	    !is_pending(&r->calls.v[v[from - 1].index], request->arrival_ns))
		return RSP_NO_ROW;
	return v[from - 1].index;
}

int rsp_requests_callers(const struct rsp_requests *r, __u32 **ret)
{
	_cleanup_free_ struct flow_call *v = calloc(r->calls.cnt + 1, sizeof(*v));
	__u32 *callers = calloc(r->served.cnt + 1, sizeof(*callers));
	ssize_t cnt = v && callers ? list_calls(r, v) : -ENOMEM;

	if (cnt < 0) {
		free(callers);
		return (int)cnt;
	}
	for (size_t i = 0; i < r->served.cnt; i++)
		callers[i] = find_caller(r, v, (size_t)cnt, &r->served.v[i]);
	*ret = callers;
	return 0;
}
