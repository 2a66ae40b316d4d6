/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See requests.h. Reads the NET records once, with a small state for each connection. */
#include "lib/model/requests/requests.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/model/requests/requests-parts.h"
#include "lib/snapshot/decode.h"
#include "lib/trace/own.h"

/* --- the side of a socket: client or server --------------------------------------------------- */

static void set_end(struct rsp_connection *c, enum rsp_end end, bool inferred)
{
	c->end = (__u8)end;
	c->inferred = inferred;
}

/* Listening and destroyed sockets are no ends of a connection. */
static bool is_connected(const struct rsp_ev_socket *sock)
{
	return rsp_socket_is_unix(sock) || (sock->local_port && sock->remote_port);
}

static void find_end(const struct rsp_request_finder *f, struct rsp_connection *c)
{
	const struct rsp_ev_socket *sock = c->sock;

	if (c->end || !sock || !is_connected(sock))
		return;
	if (sock->hdr.flags & RSP_SOCKET_ACCEPTED)
		set_end(c, RSP_END_ACCEPTED, false);
	else if (sock->hdr.flags & RSP_SOCKET_CONNECTED)
		set_end(c, RSP_END_CONNECTED, false);
	else if (rsp_ports_is_shared(&f->ports, sock->local_port))
		set_end(c, RSP_END_ACCEPTED, true);
	else if (rsp_ports_is_shared(&f->ports, sock->remote_port))
		set_end(c, RSP_END_CONNECTED, true);
}

/* --- connections ------------------------------------------------------------------------------ */

/* The kernel reuses the addresses of sockets, so a socket with other ends is another connection. */
static bool is_another(const struct rsp_ev_socket *a, const struct rsp_ev_socket *b)
{
	if (!a || !b || a == b)
		return false;
	if (rsp_socket_is_unix(a) || rsp_socket_is_unix(b))
		return a->family != b->family || a->un.connection != b->un.connection ||
		       a->un.peer != b->un.peer;
	if (!a->local_port || !b->local_port)
		return false;
	return a->local_port != b->local_port || a->remote_port != b->remote_port ||
	       memcmp(a->remote, b->remote, sizeof(a->remote)) != 0;
}

static struct rsp_talk *new_talk(struct rsp_request_finder *f, __u64 sk)
{
	struct rsp_connection *c = rsp_array_add(&f->found->connections);
	struct rsp_talk *talk = c ? rsp_array_add(&f->talks) : NULL;

	if (!talk || rsp_idmap_put(&f->talk_of, sk, f->talks.cnt - 1) < 0)
		return NULL;
	c->row = RSP_NO_ROW;
	talk->last = RSP_NO_ROW;
	return talk;
}

static struct rsp_connection *connection_of(struct rsp_request_finder *f,
					    const struct rsp_talk *talk)
{
	return &f->found->connections.v[talk - f->talks.v];
}

/*
 * Adds the pending request or call to the list, unless it lies outside the span, or began before
 * the end of a pause. answer: NULL if there is no answer.
 */
static int finish(struct rsp_request_finder *f, struct rsp_talk *talk,
		  const struct rsp_ev_net *answer, __u64 ts_ns, __u32 flags)
{
	struct rsp_requests *found = f->found;
	struct rsp_connection *c = connection_of(f, talk);
	struct rsp_exchange *x = c->end == RSP_END_ACCEPTED ? &found->served : &found->calls;
	__u64 arrival_ns = talk->arrival_ns;
	struct rsp_served *s;

	talk->is_pending = false;
	talk->last = RSP_NO_ROW;
	if (arrival_ns > found->until_ns || ts_ns < found->since_ns)
		return 0;
	if (arrival_ns < f->reset_ns && !(talk->flags & RSP_SERVED_EARLY)) {
		found->dropped_cnt++;
		return 0;
	}
	if (arrival_ns < found->since_ns)
		talk->flags |= RSP_SERVED_EARLY;
	if (ts_ns > found->until_ns) {
		flags = RSP_SERVED_IN_FLIGHT;
		answer = NULL;
	}
	s = rsp_array_add(x);
	if (!s)
		return -ENOMEM;
	talk->last = (__u32)(x->cnt - 1);
	s->arrival_ns = arrival_ns;
	s->first_ns = s->last_ns = answer ? ts_ns : 0;
	s->until_ns = flags & RSP_SERVED_IN_FLIGHT ? 0 : ts_ns;
	s->tid = c->end == RSP_END_CONNECTED ? talk->tid : answer ? answer->tid : 0;
	s->connection = (__u32)(talk - f->talks.v);
	s->flags = talk->flags | flags;
	return rsp_requests_row(f, s);
}

static int give_up(struct rsp_request_finder *f, struct rsp_talk *talk, __u64 ts_ns, __u32 flags)
{
	return talk->is_pending ? finish(f, talk, NULL, ts_ns, flags) : 0;
}

/*
 * Returns the state of the record's connection. Returns NULL if the record is not about a
 * connection (*r is 0), or if memory runs out (*r is -ENOMEM).
 */
static struct rsp_talk *talk_of(struct rsp_request_finder *f, const struct rsp_ev_net *ev, int *r)
{
	const struct rsp_ev_socket *sock = rsp_trace_socket(f->trace, ev->object);
	bool connects = ev->hdr.flags & RSP_NET_CONNECT;
	struct rsp_talk *talk = NULL;
	uint64_t i;

	*r = 0;
	if (sock && !rsp_socket_is_unix(sock) &&
	    (sock->protocol != IPPROTO_TCP || !sock->remote_port))
		return NULL; /* not an end of a TCP connection */
	if (rsp_idmap_get(&f->talk_of, ev->sk, &i))
		talk = &f->talks.v[i];
	if (talk && (connects || is_another(connection_of(f, talk)->sock, sock) ||
		     (ev->hdr.flags & RSP_NET_ESTABLISHED && !talk->is_connecting))) {
		*r = give_up(f, talk, ev->hdr.ts_ns, RSP_SERVED_CLOSED);
		talk = NULL;
	}
	if (!talk && *r == 0) {
		talk = new_talk(f, ev->sk);
		*r = talk ? 0 : -ENOMEM;
	}
	if (talk && sock && (sock->local_port || rsp_socket_is_unix(sock)))
		connection_of(f, talk)->sock = sock;
	return *r == 0 ? talk : NULL;
}

/* --- records on connections ------------------------------------------------------------------- */

static void begin(struct rsp_talk *talk, const struct rsp_ev_net *ev)
{
	talk->is_pending = true;
	talk->unasked = NULL;
	talk->arrival_ns = ev->hdr.ts_ns;
	talk->tid = ev->tid;
	talk->flags = 0;
}

/*
 * The receiver of a message over a unix socket may answer it before the sender's record is written.
 * In this case the duration counts as 0.
 */
static int begin_or_match(struct rsp_request_finder *f, struct rsp_talk *talk,
			  const struct rsp_ev_net *ev)
{
	const struct rsp_ev_net *answer = ev->hdr.flags & RSP_NET_LATE ? talk->unasked : NULL;

	begin(talk, ev);
	if (!answer)
		return 0;
	talk->arrival_ns = answer->hdr.ts_ns;
	return finish(f, talk, answer, answer->hdr.ts_ns, 0);
}

/*
 * The end of the stream takes one sequence number, and the kernel reports it as data, right after
 * the CLOSE.
 */
static bool has_data(struct rsp_talk *talk, const struct rsp_ev_net *ev)
{
	__u32 more = ev->seq - talk->seq;
	bool known = talk->has_seq && ev->seq;

	talk->seq = ev->seq;
	talk->has_seq = ev->seq != 0;
	if (known)
		return more > (talk->peer_closed ? 1 : 0);
	return !talk->peer_closed || (talk->is_whole && ev->seq && !talk->has_heard);
}

static int on_ready(struct rsp_request_finder *f, struct rsp_talk *talk,
		    const struct rsp_ev_net *ev)
{
	struct rsp_connection *c = connection_of(f, talk);
	bool data = has_data(talk, ev);

	talk->has_heard = true;
	if (c->end == RSP_END_CONNECTED && talk->is_pending)
		return finish(f, talk, data ? ev : NULL, ev->hdr.ts_ns,
			      data ? 0 : RSP_SERVED_CLOSED);
	if (c->end == RSP_END_CONNECTED)
		talk->unasked = ev;
	if (c->end != RSP_END_ACCEPTED || !data)
		return 0;
	if (!talk->is_pending)
		return begin_or_match(f, talk, ev);
	talk->flags |= RSP_SERVED_MORE;
	return 0;
}

static void go_on(struct rsp_served *s, __u64 ts_ns)
{
	if (ts_ns < s->until_ns + RSP_ANSWER_GAP_NS)
		s->until_ns = ts_ns;
	s->last_ns = ts_ns;
}

/*
 * A record with 0 bytes continues a message after a wait for space in the buffer. For a unix
 * socket, 0 may also mean that the size is unknown.
 */
static int on_send(struct rsp_request_finder *f, struct rsp_talk *talk, const struct rsp_ev_net *ev)
{
	struct rsp_connection *c = connection_of(f, talk);
	bool is_first = !talk->has_heard && !c->tid;

	if (!c->tid)
		c->tid = ev->tid;
	if (c->end == RSP_END_CONNECTED) {
		if (!talk->is_pending && (ev->bytes || rsp_socket_is_unix(c->sock)))
			return begin_or_match(f, talk, ev);
		if (talk->is_pending)
			talk->flags |= RSP_SERVED_MORE;
		return 0;
	}
	if (c->end != RSP_END_ACCEPTED)
		return 0;
	if (talk->is_pending && (ev->bytes || rsp_socket_is_unix(c->sock)))
		return finish(f, talk, ev, ev->hdr.ts_ns, 0);
	if (!talk->is_pending && talk->last != RSP_NO_ROW && ev->hdr.ts_ns <= f->found->until_ns)
		go_on(&f->found->served.v[talk->last], ev->hdr.ts_ns);
	talk->unasked = ev;
	if (!is_first || talk->is_whole)
		return 0;
	/* The connection and the request that this message answers are older than the recording. */
	talk->arrival_ns = 0;
	talk->flags = RSP_SERVED_EARLY;
	return finish(f, talk, ev, ev->hdr.ts_ns, 0);
}

/* The other end of a unix connection has no CLOSE record of its own. */
static int close_other(struct rsp_request_finder *f, const struct rsp_ev_socket *sock, __u64 ts_ns)
{
	const struct rsp_ev_socket *other;
	uint64_t i;
	int r;

	if (!rsp_idmap_get(&f->talk_of, sock->un.peer, &i))
		return 0;
	other = f->found->connections.v[i].sock;
	if (!rsp_socket_is_unix(other) || other->un.connection != sock->un.connection)
		return 0;
	r = give_up(f, &f->talks.v[i], ts_ns, RSP_SERVED_CLOSED);
	rsp_idmap_remove(&f->talk_of, sock->un.peer);
	return r;
}

/* A destroyed socket has no port, unless it was bound to a port. */
static int on_close(struct rsp_request_finder *f, struct rsp_talk *talk,
		    const struct rsp_ev_net *ev)
{
	const struct rsp_ev_socket *sock = rsp_trace_socket(f->trace, ev->object);
	bool is_gone = talk->peer_closed || (sock && !sock->local_port);
	int r;

	talk->peer_closed = true;
	if (!is_gone)
		return 0;
	r = give_up(f, talk, ev->hdr.ts_ns, RSP_SERVED_CLOSED);
	rsp_idmap_remove(&f->talk_of, ev->sk);
	f->found->has_closes |= rsp_socket_is_unix(sock);
	return r == 0 && rsp_socket_is_unix(sock) ? close_other(f, sock, ev->hdr.ts_ns) : r;
}

static int on_net(struct rsp_request_finder *f, const struct rsp_ev_net *ev)
{
	__u16 flags = ev->hdr.flags;
	struct rsp_talk *talk;
	int r;

	f->found->has_network = true;
	talk = talk_of(f, ev, &r);
	if (!talk)
		return r;
	if (flags & RSP_NET_CONNECT) {
		set_end(connection_of(f, talk), RSP_END_CONNECTED, false);
		talk->is_connecting = true;
	}
	find_end(f, connection_of(f, talk));
	if (flags & (RSP_NET_CONNECT | RSP_NET_ESTABLISHED))
		talk->is_whole = true;
	if (flags & RSP_NET_ESTABLISHED) {
		/*
		 * Without a flag in the SOCKET record, a socket that did not connect was accepted.
		 */
		if (!connection_of(f, talk)->end || connection_of(f, talk)->inferred)
			set_end(connection_of(f, talk), RSP_END_ACCEPTED, false);
		talk->is_connecting = false;
	}
	if (flags & RSP_NET_READY)
		return on_ready(f, talk, ev);
	if (flags & RSP_NET_SEND)
		return on_send(f, talk, ev);
	return flags & RSP_NET_CLOSE ? on_close(f, talk, ev) : 0;
}

/* --- pauses ----------------------------------------------------------------------------------- */

static int compare_pauses(const void *pa, const void *pb)
{
	const struct rsp_ev_lost *a = *(const struct rsp_ev_lost *const *)pa;
	const struct rsp_ev_lost *b = *(const struct rsp_ev_lost *const *)pb;

	return a->hdr.ts_ns < b->hdr.ts_ns ? -1 : a->hdr.ts_ns > b->hdr.ts_ns;
}

static int list_pauses(struct rsp_request_finder *f)
{
	for (size_t i = 0; i < f->trace->losses.cnt; i++) {
		const struct rsp_ev_lost *lost = f->trace->losses.v[i], **slot;

		if (!(lost->hdr.flags & RSP_LOST_PAUSED))
			continue;
		slot = rsp_array_add(&f->pauses);
		if (!slot)
			return -ENOMEM;
		*slot = lost;
	}
	if (f->pauses.cnt)
		qsort(f->pauses.v, f->pauses.cnt, sizeof(*f->pauses.v), compare_pauses);
	return 0;
}

/* Adds the pauses that ended before ts_ns to paused_ns. Must be called in order of time. */
static bool is_paused(struct rsp_request_finder *f, __u64 ts_ns)
{
	struct rsp_requests *found = f->found;

	for (; f->pause < f->pauses.cnt; f->pause++) {
		const struct rsp_ev_lost *lost = f->pauses.v[f->pause];
		__u64 to_ns = lost->hdr.ts_ns < found->until_ns ? lost->hdr.ts_ns : found->until_ns;
		__u64 from_ns = lost->from_ns > found->since_ns ? lost->from_ns : found->since_ns;

		if (ts_ns < lost->hdr.ts_ns)
			return ts_ns >= lost->from_ns;
		f->reset_ns = lost->hdr.ts_ns;
		if (from_ns < to_ns)
			found->paused_ns += to_ns - from_ns;
	}
	return false;
}

/* --- all together ----------------------------------------------------------------------------- */

static int find_all(struct rsp_request_finder *f)
{
	const struct rsp_trace *trace = f->trace;
	int r = rsp_ports_find(trace, &f->ports);

	if (r == 0)
		r = list_pauses(f);
	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_hdr *hdr = trace->events[i];

		if (hdr->kind == RSP_EV_NET && !is_paused(f, hdr->ts_ns))
			r = on_net(f, (const void *)hdr);
	}
	is_paused(f, UINT64_MAX);
	for (size_t i = 0; i < f->talks.cnt && r == 0; i++)
		r = give_up(f, &f->talks.v[i], UINT64_MAX, RSP_SERVED_IN_FLIGHT);
	return r == 0 ? rsp_requests_finish(f) : r;
}

int rsp_requests_find(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_requests *ret)
{
	struct rsp_requests found = {.since_ns = since_ns, .until_ns = until_ns};
	struct rsp_request_finder f = {.trace = trace, .found = &found};
	int r = find_all(&f);

	rsp_idmap_done(&f.talk_of);
	rsp_idmap_done(&f.row_of);
	rsp_idmap_done(&f.process_of);
	rsp_idmap_done(&f.flow_of);
	rsp_idmap_done(&f.ports.peer_of);
	rsp_idmap_done(&f.ports.seen);
	free(f.talks.v);
	free(f.pauses.v);
	if (r < 0) {
		rsp_requests_done(&found);
		return r;
	}
	*ret = found;
	return 0;
}

static void exchange_done(struct rsp_exchange *x)
{
	for (size_t i = 0; i < x->rows.cnt; i++)
		free(x->rows.v[i].order);
	free(x->rows.v);
	free(x->v);
}

static bool is_for_recorder(const struct rsp_trace *trace, const struct rsp_request_row *row)
{
	return rsp_is_recorder(row->comm) && !rsp_is_recorder(trace->snap->meta.target_comm);
}

bool rsp_requests_lists(const struct rsp_trace *trace, const struct rsp_request_row *row)
{
	if (is_for_recorder(trace, row))
		return false;
	return !row->tgid || rsp_trace_lists(trace, rsp_trace_task(trace, row->tgid, UINT64_MAX));
}

void rsp_requests_done(struct rsp_requests *r)
{
	exchange_done(&r->served);
	exchange_done(&r->calls);
	free(r->connections.v);
	*r = (struct rsp_requests){0};
}
