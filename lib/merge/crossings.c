/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See crossings.h. */
#include "lib/merge/crossings.h"

#include <netinet/in.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/flow.h"

/* --- collecting ------------------------------------------------------------------------------- */

/* Returns -ENOMEM, or whether this is the first message of the flow. */
static int is_first(struct rsp_idmap *seen, __u64 flow)
{
	if (rsp_idmap_get(seen, flow, &(uint64_t){0}))
		return 0;
	return rsp_idmap_put(seen, flow, 1) < 0 ? -ENOMEM : 1;
}

static int add(struct rsp_packets *p, const struct rsp_ev_net *net, __u64 flow, __u32 peer)
{
	struct rsp_packet *packet = rsp_array_add(p);

	if (!packet)
		return -ENOMEM;
	*packet = (struct rsp_packet){
		.flow = flow,
		.ts_ns = net->hdr.ts_ns,
		.seq = net->seq,
		.bytes = net->bytes,
		.peer = peer,
	};
	return 0;
}

static int note_send(struct rsp_traffic *t, const struct rsp_ev_net *net,
		     const struct rsp_ev_socket *sock, __u32 peer)
{
	struct rsp_socket_flow sent = rsp_flow_sent(sock);
	__u64 flow = rsp_flow_key(&sent, RSP_FLOW_ALL);
	int r = 1;

	if (!net->seq)
		r = is_first(&t->sent, flow);
	if (r > 0 && !net->seq)
		r = rsp_idmap_get(&t->begun, net->sk, &(uint64_t){0});
	return r > 0 ? add(&t->sends, net, flow, peer) : r;
}

static int note_arrival(struct rsp_traffic *t, const struct rsp_ev_net *net,
			const struct rsp_ev_socket *sock, __u32 peer)
{
	struct rsp_socket_flow wanted = rsp_flow_wanted(sock);
	__u64 flow = rsp_flow_key(&wanted, RSP_FLOW_ALL);
	int r = net->seq ? 1 : is_first(&t->arrived, flow);

	return r > 0 ? add(&t->arrivals, net, flow, peer) : r;
}

int rsp_traffic_note(struct rsp_traffic *t, const struct rsp_ev_net *net,
		     const struct rsp_ev_socket *sock, __u32 peer)
{
	if (sock->protocol != IPPROTO_TCP)
		return 0;
	if (net->hdr.flags & (RSP_NET_CONNECT | RSP_NET_ESTABLISHED))
		return rsp_idmap_put(&t->begun, net->sk, 1);
	if (!sock->remote_port)
		return 0;
	if (net->hdr.flags & RSP_NET_SEND)
		return note_send(t, net, sock, peer);
	if (net->hdr.flags & RSP_NET_READY)
		return note_arrival(t, net, sock, peer);
	return 0;
}

static int compare_packets(const void *pa, const void *pb)
{
	const struct rsp_packet *a = pa, *b = pb;

	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	return a->ts_ns < b->ts_ns ? -1 : a->ts_ns > b->ts_ns;
}

void rsp_traffic_sort(struct rsp_traffic *t)
{
	if (t->sends.cnt)
		qsort(t->sends.v, t->sends.cnt, sizeof(*t->sends.v), compare_packets);
}

void rsp_traffic_done(struct rsp_traffic *t)
{
	free(t->sends.v);
	free(t->arrivals.v);
	rsp_idmap_done(&t->begun);
	rsp_idmap_done(&t->sent);
	rsp_idmap_done(&t->arrived);
}

/* --- pairs ------------------------------------------------------------------------------------ */

static size_t sends_before(const struct rsp_packets *sends, __u64 flow, __u64 seq)
{
	size_t lo = 0, hi = sends->cnt;

	while (lo < hi) {
		const struct rsp_packet *p = &sends->v[lo + (hi - lo) / 2];

		if (p->flow < flow || (p->flow == flow && p->seq < seq))
			lo = (size_t)(p - sends->v) + 1;
		else
			hi = (size_t)(p - sends->v);
	}
	return lo;
}

/*
 * Returns the call that sent the last byte of an arrival, the byte before seq, or NULL. Sequence
 * numbers wrap around. If the arrival has no sequence number (older recorders), returns the first
 * send of its flow.
 */
static const struct rsp_packet *send_of(const struct rsp_packets *sends,
					const struct rsp_packet *arrival)
{
	size_t i = sends_before(sends, arrival->flow, arrival->seq);
	const struct rsp_packet *send;

	if (!arrival->seq)
		i = sends_before(sends, arrival->flow, 1);
	else if (i == 0 || sends->v[i - 1].flow != arrival->flow)
		i = sends_before(sends, arrival->flow, (__u64)UINT32_MAX + 1);
	send = i ? &sends->v[i - 1] : NULL;
	if (!send || send->flow != arrival->flow)
		return NULL;
	if (!arrival->seq)
		return send->seq ? NULL : send;
	return send->bytes && arrival->seq - send->seq - 1 <= send->bytes ? send : NULL;
}

struct crossings {
	struct rsp_crossing *v;
	size_t cnt, cap;
};

static int match(const struct rsp_packets *arrivals, __u32 receiver,
		 const struct rsp_packets *sends, __u32 sender, bool arrives_here,
		 struct crossings *ret)
{
	for (size_t i = 0; i < arrivals->cnt; i++) {
		const struct rsp_packet *arrival = &arrivals->v[i], *send;
		struct rsp_crossing *c;

		if (arrival->peer != sender)
			continue;
		send = send_of(sends, arrival);
		if (!send || send->peer != receiver)
			continue;
		c = rsp_array_add(ret);
		if (!c)
			return -ENOMEM;
		c->arrives_here = arrives_here;
		c->here_ns = arrives_here ? arrival->ts_ns : send->ts_ns;
		c->there_ns = arrives_here ? send->ts_ns : arrival->ts_ns;
	}
	return 0;
}

int rsp_crossings_find(const struct rsp_traffic *here, __u32 here_host,
		       const struct rsp_traffic *there, __u32 there_host, struct rsp_crossing **ret,
		       size_t *ret_cnt)
{
	struct crossings found = {0};
	int r = match(&here->arrivals, here_host, &there->sends, there_host, true, &found);

	if (r == 0)
		r = match(&there->arrivals, there_host, &here->sends, here_host, false, &found);
	if (r < 0) {
		free(found.v);
		return r;
	}
	*ret = found.v;
	*ret_cnt = found.cnt;
	return 0;
}
