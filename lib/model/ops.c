/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See ops.h. Two sockets of this host are the two ends of one connection if the addresses of one
 * are those of the other, swapped. A socket without an address (bound to all, or a datagram socket
 * that is not connected) is matched by port.
 */
#include "lib/model/ops.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/flow.h"
#include "lib/snapshot/host.h"

/* --- disk ----------------------------------------------------------------------------------- */

/* From include/linux/blk_types.h in the kernel; unchanged since 4.10. */
#define REQ_META (1 << 12)

static bool find_request(const struct rsp_ops *ops, __u64 request, __u32 *ret)
{
	uint64_t i;

	if (!rsp_idmap_get(&ops->request_of, request, &i))
		return false;
	*ret = (__u32)i;
	return true;
}

/* The kernel reuses an identity after its request is done. */
static struct rsp_request *request_for(struct rsp_ops *ops, const struct rsp_ev_block *ev)
{
	struct rsp_request *req;
	__u32 i;

	if (find_request(ops, ev->request, &i)) {
		req = &ops->requests.v[i];
		if (!req->done_ns && !(ev->hdr.flags & RSP_BLK_INSERT))
			return req;
		/*
		 * A request may complete in parts; the last completion counts. A completion without
		 * data belongs to a flush, which is another request.
		 */
		if (req->done_ns && (ev->hdr.flags & RSP_BLK_COMPLETE) && ev->bytes)
			return req;
		if (!req->done_ns)
			req->done_ns = ev->hdr.ts_ns; /* its completion was lost */
	}
	req = rsp_array_add(&ops->requests);
	if (!req || rsp_idmap_put(&ops->request_of, ev->request, ops->requests.cnt - 1) < 0)
		return NULL;
	req->issuer = RSP_NO_THREAD;
	req->former = RSP_NO_REQUEST;
	req->ahead = RSP_NO_REQUEST;
	return req;
}

static __u32 newest_of(const struct rsp_ops *ops, __u32 thread)
{
	uint64_t i = RSP_NO_REQUEST;

	rsp_idmap_get(&ops->newest_of, thread, &i);
	return (__u32)i;
}

/* Drops the done requests at the head of the thread's list: later waits do not need them. */
static int begin_request(struct rsp_ops *ops, struct rsp_request *req, __u32 thread)
{
	__u32 former = newest_of(ops, thread);

	while (former != RSP_NO_REQUEST && ops->requests.v[former].done_ns)
		former = ops->requests.v[former].former;
	req->issuer = thread;
	req->former = former;
	return rsp_idmap_put(&ops->newest_of, thread, (uintptr_t)(req - ops->requests.v));
}

static __u32 of_disk(const struct rsp_idmap *map, __u32 dev)
{
	uint64_t i = RSP_NO_REQUEST;

	rsp_idmap_get(map, dev, &i);
	return (__u32)i;
}

/*
 * Finds the request that delays a queued request: first the request that was issued last, then the
 * request whose completion made room on the disk.
 */
static int queue_up(struct rsp_ops *ops, struct rsp_request *req, const struct rsp_ev_block *ev)
{
	__u32 self = (__u32)(req - ops->requests.v), other;

	if (ev->hdr.flags & RSP_BLK_INSERT) {
		other = of_disk(&ops->issued_of, ev->dev);
		if (other != RSP_NO_REQUEST && !ops->requests.v[other].done_ns)
			req->ahead = other;
	}
	if (ev->hdr.flags & RSP_BLK_ISSUE) {
		other = of_disk(&ops->done_of, ev->dev);
		if (req->insert_ns && other != RSP_NO_REQUEST && other != self &&
		    ops->requests.v[other].done_ns > req->insert_ns)
			req->ahead = other;
		if (rsp_idmap_put(&ops->issued_of, ev->dev, self) < 0)
			return -ENOMEM;
	}
	if (ev->hdr.flags & RSP_BLK_COMPLETE && rsp_idmap_put(&ops->done_of, ev->dev, self) < 0)
		return -ENOMEM;
	return 0;
}

int rsp_ops_block(struct rsp_ops *ops, const struct rsp_ev_block *ev, __u32 thread)
{
	struct rsp_request *req = request_for(ops, ev);
	bool begins;

	if (!req)
		return -ENOMEM;
	begins = !req->insert_ns && !req->issue_ns && !(ev->hdr.flags & RSP_BLK_COMPLETE);
	if (begins && req->issuer == RSP_NO_THREAD && thread != RSP_NO_THREAD &&
	    begin_request(ops, req, thread) < 0)
		return -ENOMEM;
	req->dev = ev->dev;
	req->is_metadata |= (ev->op_flags & REQ_META) != 0;
	req->op_flags = ev->op_flags;
	if (req->bytes < ev->bytes)
		/* the largest number counts, because a request may complete in parts */
		req->bytes = ev->bytes;
	if (ev->object)
		req->object = ev->object;
	if (ev->hdr.flags & RSP_BLK_INSERT)
		req->insert_ns = ev->hdr.ts_ns;
	if (ev->hdr.flags & RSP_BLK_ISSUE)
		req->issue_ns = ev->hdr.ts_ns;
	if (ev->hdr.flags & RSP_BLK_COMPLETE)
		req->done_ns = ev->hdr.ts_ns;
	return queue_up(ops, req, ev);
}

int rsp_ops_complete(struct rsp_ops *ops, __u64 request, __u32 thread, __u32 *ret)
{
	struct rsp_disk_wait *wait;
	__u32 i;

	if (!find_request(ops, request, &i))
		return -ENOENT;
	wait = rsp_array_add(&ops->disk_waits);
	if (!wait)
		return -ENOMEM;
	wait->request = i;
	wait->newest = RSP_NO_REQUEST;
	if (ops->requests.v[i].issuer == thread)
		wait->newest = newest_of(ops, thread);
	*ret = (__u32)(ops->disk_waits.cnt - 1);
	return 0;
}

int rsp_ops_wait_unseen(struct rsp_ops *ops, __u32 thread, __u32 *ret)
{
	struct rsp_disk_wait *wait;
	__u32 i = newest_of(ops, thread);

	while (i != RSP_NO_REQUEST && ops->requests.v[i].done_ns)
		i = ops->requests.v[i].former;
	if (i == RSP_NO_REQUEST)
		return -ENOENT;
	wait = rsp_array_add(&ops->disk_waits);
	if (!wait)
		return -ENOMEM;
	*wait = (struct rsp_disk_wait){.request = i, .newest = newest_of(ops, thread)};
	*ret = (__u32)(ops->disk_waits.cnt - 1);
	return 0;
}

size_t rsp_ops_in_flight(const struct rsp_ops *ops, const struct rsp_disk_wait *wait,
			 const struct rsp_request **ret, size_t max)
{
	size_t cnt = 0;

	ret[cnt++] = &ops->requests.v[wait->request];
	for (__u32 i = wait->newest; i != RSP_NO_REQUEST && cnt < max;
	     i = ops->requests.v[i].former)
		if (i != wait->request)
			ret[cnt++] = &ops->requests.v[i];
	return cnt;
}

__u64 rsp_ops_file(const struct rsp_trace *trace, const struct rsp_request *req,
		   const struct rsp_ev_switch *out)
{
	const struct rsp_ev_object *obj;

	if (rsp_trace_object(trace, req->object))
		return req->object;
	if (!out || req->is_metadata)
		return 0;
	obj = rsp_trace_object(trace, out->object);
	return obj && (obj->type == RSP_OBJ_FILE || obj->type == RSP_OBJ_DEVICE) ? obj->id : 0;
}

/* --- net ------------------------------------------------------------------------------------ */

struct rsp_sender {
	struct rsp_socket_flow flow;
	__u32 thread;
	__u64 ts_ns;
	__u64 request_arrived_ns; /* arrival of the newest data before the send; 0: no arrival */
	bool is_nagled;
};

#define NO_SENDER UINT32_MAX

/* Data about one end of a connection. */
struct rsp_socket_end {
	/* flows of the packets that this end sends, and that it may receive */
	struct rsp_socket_flow sent, wanted;
	__u64 wanted_keys[RSP_FLOW_MATCH_MAX];
	/* indices in ops->senders of this end's sends; NO_SENDER before the first send */
	__u32 senders[RSP_FLOW_MATCH_MAX];
	__u64 arrived_ns; /* newest arrival that rsp_ops_arrive() noted; 0: no arrival yet */
	__u64 ready_ns;	  /* the newest arrival, or the close */
	bool is_served;	  /* server_of contains this end's port */
};

#define NO_END UINT32_MAX

/*
 * A cache of the lookups for a socket's last NET record. The next record usually has the same
 * object.
 */
struct rsp_socket_line {
	__u64 object;
	const struct rsp_ev_socket *sock;
	__u32 end; /* index in ends; NO_END: not looked up yet */
};

static bool same_address(const __u8 a[static 16], const __u8 b[static 16])
{
	static const __u8 any[16];

	return memcmp(a, b, 16) == 0 || memcmp(a, any, 16) == 0 || memcmp(b, any, 16) == 0;
}

/* Compares the flows themselves, because their keys are hashes, and a port may match by chance. */
static bool fits(const struct rsp_socket_flow *sent, const struct rsp_socket_flow *wanted)
{
	return sent->host == wanted->host && sent->protocol == wanted->protocol &&
	       sent->remote_port == wanted->remote_port &&
	       (sent->local_port == wanted->local_port || wanted->local_port == 0) &&
	       same_address(sent->local, wanted->local) &&
	       same_address(sent->remote, wanted->remote);
}

static struct rsp_socket_end *end_of(struct rsp_ops *ops, const struct rsp_ev_socket *sock)
{
	struct rsp_socket_end *end;
	uint64_t i;

	if (rsp_idmap_get(&ops->end_of, (uintptr_t)sock, &i))
		return &ops->ends.v[i];
	end = rsp_array_add(&ops->ends);
	if (!end || rsp_idmap_put(&ops->end_of, (uintptr_t)sock, ops->ends.cnt - 1) < 0)
		return NULL;
	end->sent = rsp_flow_sent(sock);
	end->wanted = rsp_flow_wanted(sock);
	for (enum rsp_flow_match match = RSP_FLOW_ALL; match < RSP_FLOW_MATCH_MAX; match++) {
		end->wanted_keys[match] = rsp_flow_key(&end->wanted, match);
		end->senders[match] = NO_SENDER;
	}
	return end;
}

static const struct rsp_sender *find_sender(const struct rsp_ops *ops,
					    const struct rsp_socket_end *end)
{
	for (enum rsp_flow_match match = RSP_FLOW_ALL; match < RSP_FLOW_MATCH_MAX; match++) {
		uint64_t i;

		if (rsp_idmap_get(&ops->sender_of, end->wanted_keys[match], &i) &&
		    fits(&ops->senders.v[i].flow, &end->wanted))
			return &ops->senders.v[i];
	}
	return NULL;
}

static __u64 server_key(__u32 host, __u16 protocol, __u16 port)
{
	return (__u64)host << 32 | (__u32)protocol << 16 | port;
}

/* Ends with the same addresses share one sender. */
static int make_sender(struct rsp_ops *ops, const struct rsp_socket_flow *flow,
		       enum rsp_flow_match match, __u32 *ret)
{
	__u64 key = rsp_flow_key(flow, match);
	uint64_t i;

	if (!rsp_idmap_get(&ops->sender_of, key, &i)) {
		i = ops->senders.cnt;
		if (!rsp_array_add(&ops->senders) || rsp_idmap_put(&ops->sender_of, key, i) < 0)
			return -ENOMEM;
	}
	*ret = (__u32)i;
	return 0;
}

static int note_send(struct rsp_ops *ops, struct rsp_socket_end *end, __u32 thread, __u64 ts_ns,
		     bool is_nagled)
{
	for (enum rsp_flow_match match = RSP_FLOW_ALL; match < RSP_FLOW_MATCH_MAX; match++) {
		__u32 *i = &end->senders[match];

		if (*i == NO_SENDER && make_sender(ops, &end->sent, match, i) < 0)
			return -ENOMEM;
		ops->senders.v[*i] = (struct rsp_sender){.flow = end->sent,
							 .thread = thread,
							 .ts_ns = ts_ns,
							 .request_arrived_ns = end->ready_ns,
							 .is_nagled = is_nagled};
	}
	return 0;
}

/* The first thread that sends from a port serves this port. */
static int note_server(struct rsp_ops *ops, struct rsp_socket_end *end, __u32 thread)
{
	__u64 key = server_key(end->wanted.host, end->sent.protocol, end->sent.local_port);

	if (end->is_served)
		return 0;
	end->is_served = true;
	if (rsp_idmap_get(&ops->server_of, key, &(uint64_t){0}))
		return 0;
	return rsp_idmap_put(&ops->server_of, key, thread);
}

/* --- requests without an answer --------------------------------------------------------------- */

/*
 * Returns whether this end is the client: the end that connected or, if neither a connect nor the
 * role of the socket was recorded, the end with the larger port. Messages over unix sockets do not
 * count, because many of them are never answered.
 */
static bool is_client_end(const struct rsp_ev_net *ev, const struct rsp_ev_socket *sock)
{
	if (rsp_socket_is_unix(sock))
		return false;
	if (sock->hdr.flags & (RSP_SOCKET_ACCEPTED | RSP_SOCKET_CONNECTED))
		return sock->hdr.flags & RSP_SOCKET_CONNECTED;
	return ev->hdr.flags & RSP_NET_CONNECT ||
	       (sock->remote_port && sock->remote_port < sock->local_port);
}

static int note_sent_request(struct rsp_ops *ops, const struct rsp_ev_socket *sock, __u32 thread,
			     __u64 ts_ns)
{
	struct rsp_sent_request *sent;
	uint64_t i;

	if (rsp_idmap_get(&ops->sent_request_of, thread, &i) &&
	    ops->sent_requests.v[i].sock == sock) {
		ops->sent_requests.v[i].ts_ns = ts_ns;
		return 0;
	}
	sent = rsp_array_add(&ops->sent_requests);
	if (!sent)
		return -ENOMEM;
	*sent = (struct rsp_sent_request){sock, ts_ns};
	return rsp_idmap_put(&ops->sent_request_of, thread, ops->sent_requests.cnt - 1);
}

__u32 rsp_ops_unanswered(const struct rsp_ops *ops, __u32 thread)
{
	const struct rsp_sent_request *sent;
	uint64_t i, end;

	if (!rsp_idmap_get(&ops->sent_request_of, thread, &i))
		return RSP_NO_SENT_REQUEST;
	sent = &ops->sent_requests.v[i];
	if (rsp_idmap_get(&ops->end_of, (uintptr_t)sent->sock, &end) &&
	    ops->ends.v[end].ready_ns >= sent->ts_ns)
		return RSP_NO_SENT_REQUEST;
	return (__u32)i;
}

/* After a connect, the thread may wait until the connection exists. */
static int note_sent_on(struct rsp_ops *ops, const struct rsp_ev_net *ev,
			const struct rsp_ev_socket *sock, __u32 thread)
{
	bool sends = ev->hdr.flags & RSP_NET_SEND && sock->protocol == IPPROTO_TCP;

	return rsp_idmap_put(&ops->sent_on, thread, sends ? (uintptr_t)sock : 0);
}

const struct rsp_ev_socket *rsp_ops_sent_on(const struct rsp_ops *ops, __u32 thread)
{
	uint64_t sock;

	return rsp_idmap_get(&ops->sent_on, thread, &sock)
		       ? (const struct rsp_ev_socket *)(uintptr_t)sock
		       : NULL;
}

/* --- NET records ------------------------------------------------------------------------------ */

/* *ret is NULL if no SOCKET record defines the object. */
static int line_on(struct rsp_ops *ops, const struct rsp_trace *trace, const struct rsp_ev_net *ev,
		   struct rsp_socket_line **ret)
{
	struct rsp_socket_line *line = NULL;
	const struct rsp_ev_socket *sock;
	uint64_t i;

	if (rsp_idmap_get(&ops->line_of, ev->sk, &i))
		line = &ops->lines.v[i];
	*ret = line;
	if (line && line->object == ev->object)
		return 0;
	*ret = NULL;
	sock = rsp_trace_socket(trace, ev->object);
	if (!sock)
		return 0;
	if (!line) {
		line = rsp_array_add(&ops->lines);
		if (!line || rsp_idmap_put(&ops->line_of, ev->sk, ops->lines.cnt - 1) < 0)
			return -ENOMEM;
	}
	*line = (struct rsp_socket_line){ev->object, sock, NO_END};
	*ret = line;
	return 0;
}

static struct rsp_socket_end *end_on(struct rsp_ops *ops, struct rsp_socket_line *line)
{
	struct rsp_socket_end *end;

	if (line->end != NO_END)
		return &ops->ends.v[line->end];
	end = end_of(ops, line->sock);
	if (end)
		line->end = (__u32)(end - ops->ends.v);
	return end;
}

/* A connection attempt counts as a send, because an accepting thread waits for it. */
int rsp_ops_net(struct rsp_ops *ops, const struct rsp_trace *trace, const struct rsp_ev_net *ev,
		__u32 thread)
{
	struct rsp_socket_line *line;
	struct rsp_socket_end *end;

	if (line_on(ops, trace, ev, &line) < 0)
		return -ENOMEM;
	if (!line)
		return 0;
	if (ev->hdr.flags & RSP_NET_CONNECT &&
	    rsp_idmap_put(&ops->connect_of, ev->sk, ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	if (ev->hdr.flags & (RSP_NET_READY | RSP_NET_CLOSE)) { /* no answer will follow a close */
		end = end_on(ops, line);
		if (end)
			end->ready_ns = ev->hdr.ts_ns;
		return end ? 0 : -ENOMEM;
	}
	if (!(ev->hdr.flags & (RSP_NET_SEND | RSP_NET_CONNECT)) || thread == RSP_NO_THREAD)
		return 0;
	end = end_on(ops, line);
	if (!end)
		return -ENOMEM;
	if (!rsp_socket_is_unix(line->sock) && note_server(ops, end, thread) < 0)
		return -ENOMEM;
	if (note_sent_on(ops, ev, line->sock, thread) < 0)
		return -ENOMEM;
	if (is_client_end(ev, line->sock) &&
	    note_sent_request(ops, line->sock, thread, ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	return note_send(ops, end, thread, ev->hdr.ts_ns, ev->hdr.flags & RSP_NET_NAGLE);
}

const struct rsp_ev_socket *rsp_ops_socket(const struct rsp_ops *ops, __u64 sk)
{
	uint64_t i;

	return rsp_idmap_get(&ops->line_of, sk, &i) ? ops->lines.v[i].sock : NULL;
}

/* --- TCP retransmissions --------------------------------------------------------------------- */

/* A socket that begins to connect has no port yet, so connects have their own map. */
static __u64 sent_ns(const struct rsp_ops *ops, const struct rsp_socket_end *end,
		     const struct rsp_ev_delay *ev)
{
	uint64_t ts_ns = 0;

	if (ev->hdr.flags == RSP_DELAY_CONNECT)
		rsp_idmap_get(&ops->connect_of, ev->subject, &ts_ns);
	else if (end->senders[RSP_FLOW_ALL] != NO_SENDER)
		ts_ns = ops->senders.v[end->senders[RSP_FLOW_ALL]].ts_ns;
	return ts_ns;
}

/*
 * If this end has sent since the previous resend, the resend counts as a repetition of the newest
 * send. Otherwise it repeats the same data as the previous resend.
 */
static int note_resend(struct rsp_ops *ops, const struct rsp_ev_socket *sock,
		       const struct rsp_ev_delay *ev)
{
	struct rsp_socket_end *end = end_of(ops, sock);
	struct rsp_resend *resend;
	__u64 key, first_ns;
	uint64_t i;

	if (!end)
		return -ENOMEM;
	key = rsp_flow_key(&end->sent, RSP_FLOW_ALL);
	if (!rsp_idmap_get(&ops->resend_of, key, &i)) {
		i = ops->resends.cnt;
		if (!rsp_array_add(&ops->resends) || rsp_idmap_put(&ops->resend_of, key, i) < 0)
			return -ENOMEM;
	}
	resend = &ops->resends.v[i];
	first_ns = sent_ns(ops, end, ev);
	if (!first_ns)
		return 0;
	if (first_ns > resend->to_ns)
		resend->from_ns = first_ns;
	resend->to_ns = ev->hdr.ts_ns;
	resend->connects = ev->hdr.flags == RSP_DELAY_CONNECT;
	return 0;
}

int rsp_ops_delay(struct rsp_ops *ops, const struct rsp_trace *trace, const struct rsp_ev_delay *ev)
{
	const struct rsp_ev_socket *sock;
	__u32 i;

	switch (ev->hdr.flags) {
	case RSP_DELAY_IO_LIMIT:
		if (find_request(ops, ev->subject, &i))
			ops->requests.v[i].held = ev;
		return 0;
	case RSP_DELAY_RETRANSMIT:
	case RSP_DELAY_CONNECT:
		sock = rsp_trace_socket(trace, ev->object);
		return sock ? note_resend(ops, sock, ev) : 0;
	}
	return 0;
}

static void find_resend(const struct rsp_ops *ops, const struct rsp_socket_flow *flow,
			struct rsp_resend *ret)
{
	uint64_t i;

	if (rsp_idmap_get(&ops->resend_of, rsp_flow_key(flow, RSP_FLOW_ALL), &i) &&
	    ops->resends.v[i].to_ns > ret->to_ns)
		*ret = ops->resends.v[i];
}

static bool has_one_address(const struct rsp_ev_socket *sock)
{
	return !rsp_socket_is_unix(sock) &&
	       memcmp(sock->local, sock->remote, sizeof(sock->local)) == 0;
}

static const struct rsp_sender *peer_of(const struct rsp_ops *ops, const struct rsp_ev_socket *sock)
{
	uint64_t end, sender;

	if (!rsp_idmap_get(&ops->end_of, (uintptr_t)sock, &end) ||
	    !rsp_idmap_get(&ops->sender_of, ops->ends.v[end].wanted_keys[RSP_FLOW_ALL], &sender))
		return NULL;
	return &ops->senders.v[sender];
}

bool rsp_ops_is_local(const struct rsp_ops *ops, const struct rsp_ev_socket *sock)
{
	if (rsp_host_of_socket(sock) != rsp_host_of_peer(sock))
		return false;
	return rsp_socket_is_unix(sock) || has_one_address(sock) || peer_of(ops, sock);
}

__u32 rsp_ops_server(const struct rsp_ops *ops, const struct rsp_ev_socket *sock)
{
	const struct rsp_sender *peer = peer_of(ops, sock);
	uint64_t thread = RSP_NO_THREAD;

	if (peer)
		return peer->thread;
	if (has_one_address(sock))
		rsp_idmap_get(
			&ops->server_of,
			server_key(rsp_host_of_socket(sock), sock->protocol, sock->remote_port),
			&thread);
	return (__u32)thread;
}

/* --- arrivals -------------------------------------------------------------------------------- */

/* The first port that Linux gives to clients (net.ipv4.ip_local_port_range, by default). */
#define CLIENT_PORT_MIN 32768

/*
 * Returns whether this end is the server: the socket listens, or was accepted. Older recordings
 * have no flags for this. In them, this end is the server if only the other end has a client's
 * port.
 */
static bool serves(const struct rsp_ev_socket *sock)
{
	if (!sock->remote_port)
		return sock->protocol == IPPROTO_TCP;
	if (sock->hdr.flags & (RSP_SOCKET_ACCEPTED | RSP_SOCKET_CONNECTED))
		return sock->hdr.flags & RSP_SOCKET_ACCEPTED;
	return sock->local_port < CLIENT_PORT_MIN && sock->remote_port >= CLIENT_PORT_MIN;
}

/* If this end has answered, the next arrival is a new request. */
static bool has_answered(const struct rsp_ops *ops, const struct rsp_socket_end *end)
{
	__u32 sends = end->senders[RSP_FLOW_ALL];

	return !end->arrived_ns ||
	       (sends != NO_SENDER && ops->senders.v[sends].ts_ns > end->arrived_ns);
}

/*
 * Minimum time that a request must need on its way to be noted (request_sent_ns): a packet normally
 * takes less time through the kernel.
 */
#define PASSAGE_NS_MIN 1000000

static void find_passage(const struct rsp_ops *ops, const struct rsp_socket_end *end,
			 const struct rsp_sender *sender, struct rsp_arrival *ret)
{
	__u32 own = end->senders[RSP_FLOW_ALL];
	__u64 request_sent_ns = own == NO_SENDER ? 0 : ops->senders.v[own].ts_ns;

	if (!request_sent_ns || sender->request_arrived_ns < request_sent_ns + PASSAGE_NS_MIN)
		return;
	ret->request_sent_ns = request_sent_ns;
	ret->request_arrived_ns = sender->request_arrived_ns;
	ret->request_is_nagled = ops->senders.v[own].is_nagled;
}

int rsp_ops_arrive(struct rsp_ops *ops, const struct rsp_ev_socket *sock, __u64 ts_ns,
		   __u32 current, __u32 *ret)
{
	struct rsp_socket_end *end = sock ? end_of(ops, sock) : NULL;
	const struct rsp_sender *sender = end ? find_sender(ops, end) : NULL;
	struct rsp_arrival *arrival = rsp_array_add(&ops->arrivals);

	if (!arrival || (sock && !end))
		return -ENOMEM;
	*arrival = (struct rsp_arrival){
		.sock = sock, .sender = RSP_NO_THREAD, .receiver = RSP_NO_THREAD, .ts_ns = ts_ns};
	if (sender) {
		arrival->sender = sender->thread;
		arrival->is_nagled = sender->is_nagled;
		arrival->send_ns = sender->thread == current ? ts_ns : sender->ts_ns;
		find_passage(ops, end, sender, arrival);
	}
	if (end && ops->resends.cnt) {
		find_resend(ops, &end->sent, &arrival->resend);
		find_resend(ops, &end->wanted, &arrival->resend);
	}
	if (end) {
		arrival->is_request = serves(sock) &&
				      (!sock->remote_port || has_answered(ops, end));
		end->arrived_ns = ts_ns;
		end->ready_ns = ts_ns;
	}
	*ret = (__u32)(ops->arrivals.cnt - 1);
	return 0;
}

void rsp_ops_done(struct rsp_ops *ops)
{
	free(ops->requests.v);
	free(ops->disk_waits.v);
	free(ops->arrivals.v);
	free(ops->senders.v);
	free(ops->ends.v);
	free(ops->lines.v);
	free(ops->sent_requests.v);
	rsp_idmap_done(&ops->sent_request_of);
	rsp_idmap_done(&ops->sent_on);
	free(ops->resends.v);
	rsp_idmap_done(&ops->request_of);
	rsp_idmap_done(&ops->newest_of);
	rsp_idmap_done(&ops->issued_of);
	rsp_idmap_done(&ops->done_of);
	rsp_idmap_done(&ops->line_of);
	rsp_idmap_done(&ops->sender_of);
	rsp_idmap_done(&ops->end_of);
	rsp_idmap_done(&ops->resend_of);
	rsp_idmap_done(&ops->server_of);
	rsp_idmap_done(&ops->connect_of);
	*ops = (struct rsp_ops){0};
}
