/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns NET records, and the waits that arrivals ended, into a row for each thread and peer.
 * Handles them in order of time, because the previous record of a socket decides whether an arrival
 * answers a send.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/survey/survey-parts.h"
#include "lib/snapshot/decode.h"

#define PEER_TEXT_MAX 80 /* room for an IPv6 address in brackets and a port */

struct key {
	/* thread: an index, or RSP_NO_THREAD if the thread has no other records */
	__u32 tid, thread;
	__u32 peer, service, protocol; /* protocol: IPPROTO_*, 0 if the peer is unknown */
};

enum role {
	ROLE_UNKNOWN, /* the connection began before the recording, or there is no connection */
	ROLE_CLIENT,
	ROLE_SERVICE,
};

/* The last events on a socket. */
struct conversation {
	__u64 send_ns; /* time of the send that waits for an answer; 0: no send waits */
	__u32 tid;
	bool is_answered; /* another event followed the send */
	bool is_connecting;
	enum role role;
};

struct net {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	struct rsp_intern keys;
	/*
	 * maps a key to the text of the peer; the key is the address of a SOCKET record, plus 1 if
	 * the peer is named as a service
	 */
	struct rsp_idmap peer_of;
	struct rsp_idmap conversation_of; /* sk -> index */
	struct {
		struct conversation *v;
		size_t cnt, cap;
	} conversations;
};

/* --- rows ----------------------------------------------------------------------------------- */

static enum role role_of(const struct net *n, const struct rsp_ev_socket *sock)
{
	uint64_t i;

	if (!sock->remote_port)
		return ROLE_SERVICE;
	if (rsp_idmap_get(&n->conversation_of, sock->sk, &i) && n->conversations.v[i].role)
		return n->conversations.v[i].role;
	return sock->local_port && sock->local_port < sock->remote_port ? ROLE_SERVICE
									: ROLE_CLIENT;
}

static int name_peer(struct net *n, const struct rsp_ev_socket *sock, bool is_service, __u32 *ret)
{
	__u64 key = (uintptr_t)sock + is_service;
	struct rsp_ev_socket peer = *sock;
	char text[PEER_TEXT_MAX];
	uint64_t known;

	if (!rsp_idmap_get(&n->peer_of, key, &known)) {
		if (is_service)
			peer.remote_port = 0;
		known = rsp_names_add(n->scope->names,
				      rsp_socket_remote(&peer, text, sizeof(text)));
		if (rsp_idmap_put(&n->peer_of, key, known) < 0)
			return -ENOMEM;
	}
	*ret = (__u32)known;
	return 0;
}

static struct rsp_net_row *new_row(struct net *n, const struct key *key, __u64 ts_ns)
{
	const struct rsp_survey_scope *s = n->scope;
	const struct rsp_ev_task *task = rsp_trace_task(s->model->trace, key->tid, ts_ns);
	struct rsp_net_row *row = rsp_array_add(&n->survey->net);

	if (!row)
		return NULL;
	row->peer = rsp_survey_text(s, key->peer);
	row->service = (__u16)key->service;
	row->protocol = key->protocol ? key->protocol == IPPROTO_UDP ? "udp" : "tcp" : "";
	row->peer_comm = "";
	row->comm = rsp_survey_text(s, rsp_names_tid(s->names, key->tid, ts_ns));
	row->tid = key->tid;
	row->tgid = task ? task->tgid : key->tid;
	row->is_target = key->thread != RSP_NO_THREAD && s->target[key->thread];
	return row;
}

/* sock NULL: the peer is unknown. */
static struct rsp_net_row *row_of(struct net *n, __u32 tid, __u64 ts_ns,
				  const struct rsp_ev_socket *sock)
{
	struct key key = {.tid = tid, .thread = rsp_survey_thread(n->scope, tid, ts_ns)};
	uint32_t i;

	if (sock) {
		bool is_service = role_of(n, sock) == ROLE_SERVICE;

		if (name_peer(n, sock, is_service, &key.peer) < 0)
			return NULL;
		key.service = is_service ? sock->local_port : 0;
		key.protocol = sock->protocol == IPPROTO_UDP ? IPPROTO_UDP : IPPROTO_TCP;
	}
	if (rsp_intern_put(&n->keys, &key, sizeof(key), &i) < 0)
		return NULL;
	return i < n->survey->net.cnt ? &n->survey->net.v[i] : new_row(n, &key, ts_ns);
}

/* --- events on sockets ------------------------------------------------------------------------ */

static struct conversation *conversation_on(struct net *n, __u64 sk)
{
	struct conversation *conversation;
	uint64_t i;

	if (rsp_idmap_get(&n->conversation_of, sk, &i))
		return &n->conversations.v[i];
	conversation = rsp_array_add(&n->conversations);
	if (!conversation || rsp_idmap_put(&n->conversation_of, sk, n->conversations.cnt - 1) < 0)
		return NULL;
	return conversation;
}

/* A socket that did not connect counts as accepted. */
static void note_event(struct conversation *conversation, const struct rsp_ev_net *ev)
{
	if (ev->hdr.flags & (RSP_NET_SEND | RSP_NET_CONNECT)) {
		conversation->send_ns = ev->hdr.ts_ns;
		conversation->tid = ev->tid;
		conversation->is_answered = false;
	} else {
		if (conversation->is_answered)
			conversation->send_ns = 0;
		conversation->is_answered = true;
	}
	if (ev->hdr.flags & RSP_NET_CONNECT) {
		conversation->is_connecting = true;
		conversation->role = ROLE_CLIENT;
	} else if (ev->hdr.flags & RSP_NET_ESTABLISHED) {
		conversation->role = conversation->is_connecting ? ROLE_CLIENT : ROLE_SERVICE;
		conversation->is_connecting = false;
	}
}

static int on_net(void *table, const struct rsp_ev_net *ev)
{
	struct net *n = table;
	const struct rsp_survey_scope *s = n->scope;
	const struct rsp_ev_socket *sock = rsp_trace_socket(s->model->trace, ev->object);
	struct conversation *conversation;
	struct rsp_net_row *row;

	if (rsp_socket_is_unix(sock)) /* the table contains only connections over a network */
		return 0;
	conversation = conversation_on(n, ev->sk);
	if (!conversation)
		return -ENOMEM;
	note_event(conversation, ev);
	if (!s->with_machine || !(ev->hdr.flags & RSP_NET_SEND) || !ev->tid ||
	    !rsp_survey_within(s, ev->hdr.ts_ns))
		return 0;
	row = row_of(n, ev->tid, ev->hdr.ts_ns, sock);
	if (!row)
		return -ENOMEM;
	row->send_cnt++;
	row->sent_bytes += ev->bytes;
	return 0;
}

/* --- waits for arrivals ----------------------------------------------------------------------- */

static void add_wait(struct net *n, const struct rsp_survey_wait *w, struct rsp_net_row *row)
{
	const struct rsp_model *m = n->scope->model;
	const struct rsp_arrival *arrival = &m->ops.arrivals.v[w->span->cause_id];

	row->wait_cnt++;
	row->waited_ns += w->ns;
	row->target_ns += w->target_ns;
	if (row->longest_ns < w->ns)
		row->longest_ns = w->ns;
	if (arrival->sender != RSP_NO_THREAD)
		row->peer_comm = rsp_survey_text(
			n->scope, rsp_names_thread(n->scope->names, &m->threads.v[arrival->sender],
						   arrival->send_ns));
}

static void add_round_trip(struct net *n, const struct rsp_ev_waking *ev, struct rsp_net_row *row)
{
	struct conversation *conversation;
	uint64_t i;

	if (ev->context != RSP_WAKE_NET || !rsp_idmap_get(&n->conversation_of, ev->cause, &i))
		return;
	conversation = &n->conversations.v[i];
	if (!conversation->is_answered || !conversation->send_ns ||
	    conversation->tid != ev->wakee_tid)
		return;
	row->round_trip_cnt++;
	row->round_trip_ns += ev->hdr.ts_ns - conversation->send_ns;
	conversation->send_ns = 0;
}

static int on_waking(void *table, const struct rsp_survey_waking *waking)
{
	struct net *n = table;
	const struct rsp_ev_waking *ev = waking->ev;
	const struct rsp_survey_wait *w = waking->ended;
	struct rsp_net_row *row;

	if (!w || w->span->cause != RSP_CAUSE_NET || !w->ns)
		return 0;
	row = row_of(n, ev->wakee_tid, w->from_ns,
		     n->scope->model->ops.arrivals.v[w->span->cause_id].sock);
	if (!row)
		return -ENOMEM;
	add_wait(n, w, row);
	add_round_trip(n, ev, row);
	return 0;
}

/* --- all together --------------------------------------------------------------------------- */

static int compare(const void *pa, const void *pb)
{
	const struct rsp_net_row *a = pa, *b = pb;
	int r = rsp_survey_more(a->target_ns, b->target_ns);

	if (!r)
		r = b->is_target - a->is_target;
	if (!r)
		r = rsp_survey_more(a->waited_ns, b->waited_ns);
	if (!r)
		r = rsp_survey_more(a->sent_bytes, b->sent_bytes);
	if (!r)
		r = strcmp(a->peer, b->peer);
	if (!r)
		r = strcmp(a->protocol, b->protocol);
	if (!r)
		r = rsp_survey_more(b->service, a->service);
	if (!r)
		r = strcmp(a->comm, b->comm);
	return r ? r : rsp_survey_more(b->tid, a->tid);
}

static void *begin(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	struct net *n = calloc(1, sizeof(*n));

	if (n)
		*n = (struct net){.scope = s, .survey = ret};
	return n;
}

static int end(void *table)
{
	struct net *n = table;
	struct rsp_survey *survey = n->survey;

	rsp_intern_done(&n->keys);
	rsp_idmap_done(&n->peer_of);
	rsp_idmap_done(&n->conversation_of);
	free(n->conversations.v);
	free(n);
	if (survey->net.cnt)
		qsort(survey->net.v, survey->net.cnt, sizeof(*survey->net.v), compare);
	return 0;
}

const struct rsp_survey_table rsp_survey_net = {
	.begin = begin,
	.on_waking = on_waking,
	.on_net = on_net,
	.end = end,
};
