/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See request.h. */
#include "lib/model/request.h"

#include <errno.h>

#include "lib/base/array.h"
#include "lib/base/syscalls.h"
#include "lib/model/model-parts.h"
#include "lib/snapshot/decode.h"

/*
 * Returns whether this end is the client: the end that connected or, if no connect was recorded,
 * the end with the larger port.
 */
static bool is_client(const struct rsp_ev_net *ev, const struct rsp_ev_socket *sock)
{
	if (sock && sock->hdr.flags & (RSP_SOCKET_ACCEPTED | RSP_SOCKET_CONNECTED))
		return sock->hdr.flags & RSP_SOCKET_CONNECTED;
	return ev->hdr.flags & RSP_NET_CONNECT ||
	       (sock && sock->remote_port && sock->remote_port < sock->local_port);
}

/* Returns whether the address of a unix socket was reused for another connection. */
static bool is_of_another(const struct rsp_trip_request *request, const struct rsp_ev_net *ev,
			  const struct rsp_ev_socket *sock)
{
	return rsp_socket_is_unix(sock) && request->object != ev->object;
}

static int note_request(struct rsp_model *m, const struct rsp_ev_net *ev)
{
	struct rsp_trip_request request = {ev->hdr.ts_ns, ev->object, ev->tid, RSP_NO_TRIP}, *slot;
	const struct rsp_ev_socket *sock = rsp_trace_socket(m->trace, ev->object);
	uint64_t i;

	if (rsp_idmap_get(&m->trip_request_of, ev->sk, &i) &&
	    !is_of_another(&m->trip_requests.v[i], ev, sock)) {
		if (m->trip_requests.v[i].answered != RSP_NO_TRIP)
			m->trip_requests.v[i] = request;
		return 0;
	}
	if (!is_client(ev, sock))
		return 0;
	slot = rsp_array_add(&m->trip_requests);
	if (!slot)
		return -ENOMEM;
	*slot = request;
	return rsp_idmap_put(&m->trip_request_of, ev->sk, m->trip_requests.cnt - 1);
}

static int note_answer(struct rsp_model *m, const struct rsp_ev_net *ev)
{
	uint64_t i, current = RSP_NO_THREAD;
	struct rsp_trip_request *request;
	struct rsp_trip *trip;
	int r;

	if (!rsp_idmap_get(&m->trip_request_of, ev->sk, &i))
		return 0;
	request = &m->trip_requests.v[i];
	if (is_of_another(request, ev, rsp_trace_socket(m->trace, ev->object)))
		return 0;
	rsp_idmap_get(&m->thread_of, ev->tid, &current);
	trip = rsp_array_add(&m->trips);
	if (!trip)
		return -ENOMEM;
	trip->from_ns = request->ts_ns;
	trip->to_ns = ev->hdr.ts_ns;
	trip->tid = request->tid;
	trip->before = request->answered;
	r = rsp_ops_arrive(&m->ops, rsp_ops_socket(&m->ops, ev->sk), ev->hdr.ts_ns, (__u32)current,
			   &trip->arrival);
	if (r < 0) {
		m->trips.cnt--;
		return r;
	}
	request->ts_ns = ev->hdr.ts_ns;
	request->answered = (__u32)(m->trips.cnt - 1);
	return 0;
}

static bool is_of_interest(const struct rsp_model *m, __u32 tid)
{
	return m->callers ? tid && rsp_idmap_get(m->callers, tid, &(uint64_t){0})
			  : tid == m->request_tid;
}

int rsp_request_net(struct rsp_model *m, const struct rsp_ev_net *ev)
{
	if (!m->callers && !m->request_tid)
		return 0;
	if (ev->hdr.ts_ns < m->since_ns || ev->hdr.ts_ns > m->until_ns)
		return 0;
	if (ev->hdr.flags & RSP_NET_READY)
		return note_answer(m, ev);
	if (ev->hdr.flags & RSP_NET_LATE) /* the answer may have come before this record */
		return 0;
	if (ev->hdr.flags & (RSP_NET_SEND | RSP_NET_CONNECT) && is_of_interest(m, ev->tid))
		return note_request(m, ev);
	return 0;
}

/* Returns the beginning of the last sleep that ended before ts_ns. */
static __u64 awake_since(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t i = rsp_span_at(t, ts_ns);

	if (t->spans.v[i].kind == RSP_SPAN_BLOCKED && i > 0)
		i--;
	while (i > 0 && t->spans.v[i].kind != RSP_SPAN_BLOCKED)
		i--;
	return t->spans.v[i].kind == RSP_SPAN_BLOCKED ? t->spans.v[i].from_ns : 0;
}

bool rsp_request_is_look(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED && span->out &&
	       rsp_syscall_polls(span->out->syscall_nr);
}

__u64 rsp_request_next_look(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns)
{
	if (!t->spans.cnt || from_ns < t->spans.v[0].from_ns)
		return to_ns;
	for (size_t i = rsp_span_at(t, from_ns) + 1;
	     i < t->spans.cnt && t->spans.v[i].from_ns < to_ns; i++)
		if (rsp_request_is_look(&t->spans.v[i]))
			return t->spans.v[i].from_ns;
	return to_ns;
}

/*
 * Returns the index, plus 1, of the last of the first cnt answers before until_ns. Returns 0 if
 * there is none, or if the thread slept between this answer and until_ns.
 */
static size_t last_answer(const struct rsp_model *m, const struct rsp_thread *t, size_t cnt,
			  __u64 until_ns)
{
	while (cnt > 0 && m->trips.v[cnt - 1].to_ns > until_ns)
		cnt--;
	return cnt > 0 && m->trips.v[cnt - 1].to_ns >= awake_since(t, until_ns) ? cnt : 0;
}

void rsp_request_find(struct rsp_model *m)
{
	size_t kept = m->trips.cnt, i = m->trips.cnt;
	const struct rsp_thread *t;
	__u64 until_ns = m->until_ns;
	uint64_t thread;

	if (!i || !rsp_idmap_get(&m->thread_of, m->request_tid, &thread))
		i = 0;
	t = i ? &m->threads.v[thread] : NULL;
	/*
	 * Trips that are kept move to the end of the array, the last one first, so they never
	 * overwrite a trip that has not been read yet.
	 */
	while (i > 0 && t->spans.cnt && until_ns >= t->spans.v[0].from_ns) {
		i = last_answer(m, t, i, until_ns);
		if (i == 0)
			break;
		m->trips.v[--kept] = m->trips.v[--i];
		until_ns = m->trips.v[kept].from_ns;
		m->trips.v[kept].away_ns = rsp_request_next_look(t, until_ns,
								 m->trips.v[kept].to_ns);
	}
	for (i = kept; i < m->trips.cnt; i++)
		m->trips.v[i - kept] = m->trips.v[i];
	m->trips.cnt -= kept;
}

const struct rsp_trip *rsp_request_trip(const struct rsp_model *m, const struct rsp_thread *t,
					__u64 ts_ns)
{
	if (!m->trips.cnt || t->tid != m->request_tid)
		return NULL;
	for (size_t i = 0; i < m->trips.cnt; i++)
		if (ts_ns < m->trips.v[i].to_ns)
			return &m->trips.v[i];
	return NULL;
}
