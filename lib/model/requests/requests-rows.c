/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups requests and calls into rows by program and port, path or peer, and sorts the durations of
 * each row.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/sort.h"
#include "lib/base/text.h"
#include "lib/model/requests/requests-parts.h"
#include "lib/snapshot/decode.h"

/* --- hashes ----------------------------------------------------------------------------------- */

/* FNV-1a with 64 bits. The multiplication at the end spreads differences in the last bytes. */
static __u64 hash_bytes(__u64 hash, const void *bytes, size_t len)
{
	const unsigned char *b = bytes;

	if (!hash)
		hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ b[i]) * 0x100000001b3;
	return hash * 0x9e3779b97f4a7c15;
}

static __u64 hash_end(__u64 hash, const __u8 address[16], __u16 port)
{
	return hash_bytes(hash_bytes(hash, address, 16), &port, sizeof(port));
}

static __u64 hash_unix_flow(const struct rsp_ev_socket *sock, bool swapped)
{
	const __u64 ends[] = {swapped ? sock->un.peer : sock->sk,
			      swapped ? sock->sk : sock->un.peer, sock->un.connection};

	return hash_bytes(0, ends, sizeof(ends));
}

__u64 rsp_requests_flow(const struct rsp_ev_socket *sock, bool swapped)
{
	__u32 own = rsp_host_of_socket(sock), peer = rsp_host_of_peer(sock);
	__u64 hash = hash_bytes(0, (__u32[]){swapped ? peer : own, swapped ? own : peer}, 8);

	if (rsp_socket_is_unix(sock))
		return hash_unix_flow(sock, swapped);
	hash = swapped ? hash_end(hash, sock->remote, sock->remote_port)
		       : hash_end(hash, sock->local, sock->local_port);

	return swapped ? hash_end(hash, sock->local, sock->local_port)
		       : hash_end(hash, sock->remote, sock->remote_port);
}

/* --- shared ports ----------------------------------------------------------------------------- */

static int note_port(const struct rsp_ev_socket *sock, struct rsp_ports *ports)
{
	__u64 peer = hash_end(0, sock->remote, sock->remote_port), known;

	if (!rsp_idmap_get(&ports->peer_of, sock->local_port, (uint64_t *)&known))
		return rsp_idmap_put(&ports->peer_of, sock->local_port, peer ? peer : 1);
	return known && known != peer ? rsp_idmap_put(&ports->peer_of, sock->local_port, 0) : 0;
}

/*
 * Skips sockets whose record has the flag ACCEPTED or CONNECTED, because their server need not be
 * inferred.
 */
int rsp_ports_find(const struct rsp_trace *trace, struct rsp_ports *ret)
{
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_net *ev = (const void *)trace->events[i];
		const struct rsp_ev_socket *sock;

		if (ev->hdr.kind != RSP_EV_NET ||
		    rsp_idmap_get(&ret->seen, ev->object, &(uint64_t){0}))
			continue;
		r = rsp_idmap_put(&ret->seen, ev->object, 0);
		sock = rsp_trace_socket(trace, ev->object);
		if (r == 0 && sock &&
		    !(sock->hdr.flags & (RSP_SOCKET_ACCEPTED | RSP_SOCKET_CONNECTED)) &&
		    sock->protocol == IPPROTO_TCP && sock->local_port && sock->remote_port)
			r = note_port(sock, ret);
	}
	return r;
}

bool rsp_ports_is_shared(const struct rsp_ports *p, __u16 port)
{
	uint64_t peer;

	return rsp_idmap_get(&p->peer_of, port, &peer) && peer == 0;
}

/* --- rows ------------------------------------------------------------------------------------- */

static __u32 name_process(const struct rsp_trace *trace, __u32 tid, __u64 ts_ns,
			  struct rsp_request_row *ret)
{
	const struct rsp_ev_task *task = rsp_trace_task(trace, tid, ts_ns), *first;

	if (!task) {
		snprintf(ret->comm, sizeof(ret->comm), "?");
		return tid;
	}
	first = rsp_trace_task(trace, task->tgid, ts_ns);
	rsp_meta_comm(&trace->snap->meta, first ? first : task, ret->comm);
	rsp_trace_container(trace, task->cgroup_id, ret->container);
	return task->tgid;
}

static int find_row(struct rsp_request_finder *f, struct rsp_exchange *x,
		    const struct rsp_request_row *like, bool is_call, __u32 *ret)
{
	__u64 key = hash_bytes(is_call ? 1 : 2, like->comm,
			       strnlen(like->comm, sizeof(like->comm)));
	struct rsp_request_row *row;
	uint64_t i;

	key = hash_bytes(key, like->container, strlen(like->container));
	if (like->path)
		key = hash_bytes(key, &like->path->id, sizeof(like->path->id));
	else if (is_call && like->sock)
		key = hash_end(key, like->sock->remote, like->port);
	else
		key = hash_bytes(key, &like->port, sizeof(like->port));
	if (!rsp_idmap_get(&f->row_of, key, &i)) {
		i = x->rows.cnt;
		row = rsp_array_add(&x->rows);
		if (!row || rsp_idmap_put(&f->row_of, key, i) < 0)
			return -ENOMEM;
		*row = *like;
		row->server = RSP_NO_ROW;
	}
	*ret = (__u32)i;
	return 0;
}

static int count_process(struct rsp_request_finder *f, struct rsp_exchange *x, __u32 i, __u32 tgid)
{
	__u64 key = hash_bytes(hash_bytes(x == &f->found->calls ? 1 : 2, &i, sizeof(i)), &tgid,
			       sizeof(tgid));

	if (rsp_idmap_get(&f->process_of, key, &(uint64_t){0}))
		return 0;
	x->rows.v[i].process_cnt++;
	return rsp_idmap_put(&f->process_of, key, 1);
}

static void set_place(const struct rsp_trace *trace, const struct rsp_ev_socket *sock, bool is_call,
		      struct rsp_request_row *row)
{
	row->path = rsp_trace_unix_path(trace, sock);
	if (sock && !rsp_socket_is_unix(sock))
		row->port = is_call ? sock->remote_port : sock->local_port;
}

static int row_of(struct rsp_request_finder *f, struct rsp_connection *c, __u64 ts_ns)
{
	bool is_call = c->end == RSP_END_CONNECTED;
	struct rsp_exchange *x = is_call ? &f->found->calls : &f->found->served;
	const struct rsp_ev_socket *sock = c->sock;
	struct rsp_request_row like = {.sock = is_call ? sock : NULL};
	int r;

	set_place(f->trace, sock, is_call, &like);
	c->tgid = like.tgid = name_process(f->trace, c->tid, ts_ns, &like);
	r = find_row(f, x, &like, is_call, &c->row);
	if (r == 0)
		r = count_process(f, x, c->row, like.tgid);
	if (r < 0)
		return r;
	x->rows.v[c->row].connection_cnt++;
	x->rows.v[c->row].inferred |= c->inferred;
	return is_call || !sock ? 0
				: rsp_idmap_put(&f->flow_of, rsp_requests_flow(sock, true), c->row);
}

int rsp_requests_row(struct rsp_request_finder *f, struct rsp_served *s)
{
	struct rsp_connection *c = &f->found->connections.v[s->connection];
	int r = 0;

	if (c->row == RSP_NO_ROW && c->tid)
		r = row_of(f, c, s->first_ns ? s->first_ns : s->arrival_ns);
	s->row = c->row;
	return r;
}

/* --- after all requests are found ------------------------------------------------------------- */

/*
 * A request on whose connection no process ever sent, or only the idle task, belongs to the process
 * that serves the port, if this process is known.
 */
static int adopt(struct rsp_request_finder *f, struct rsp_exchange *x, struct rsp_served *s)
{
	struct rsp_connection *c = &f->found->connections.v[s->connection];
	bool is_call = x == &f->found->calls, is_new = c->row == RSP_NO_ROW;
	struct rsp_request_row like = {.comm = "?", .sock = is_call ? c->sock : NULL};
	int r = 0;

	set_place(f->trace, c->sock, is_call, &like);
	for (size_t i = 0; i < x->rows.cnt && c->row == RSP_NO_ROW && !is_call; i++)
		if (x->rows.v[i].port == like.port && x->rows.v[i].path == like.path)
			c->row = (__u32)i;
	if (c->row == RSP_NO_ROW)
		r = find_row(f, x, &like, is_call, &c->row);
	if (r < 0)
		return r;
	x->rows.v[c->row].connection_cnt += is_new;
	s->row = c->row;
	return 0;
}

static int adopt_all(struct rsp_request_finder *f, struct rsp_exchange *x)
{
	int r = 0;

	for (size_t i = 0; i < x->cnt && r == 0; i++)
		if (x->v[i].row == RSP_NO_ROW)
			r = adopt(f, x, &x->v[i]);
	return r;
}

static void count(struct rsp_request_row *row, const struct rsp_served *s)
{
	row->more_cnt += !!(s->flags & RSP_SERVED_MORE);
	row->early_cnt += !!(s->flags & RSP_SERVED_EARLY);
	row->in_flight_cnt += !!(s->flags & RSP_SERVED_IN_FLIGHT);
	row->closed_cnt += !!(s->flags & RSP_SERVED_CLOSED);
}

static bool is_measured(const struct rsp_served *s)
{
	return s->first_ns && !(s->flags & RSP_SERVED_EARLY);
}

/*
 * A duration and the index of its request. Sorting these pairs is faster than sorting indices,
 * because each index would cause a cache miss.
 */
struct timed {
	__u64 ns;
	__u32 index, row;
};

static int compare_timed(const void *pa, const void *pb)
{
	const struct timed *a = pa, *b = pb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int order(struct rsp_exchange *x)
{
	_cleanup_free_ struct timed *v = calloc(x->cnt + 1, sizeof(*v));
	size_t cnt = 0, from = 0;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < x->cnt; i++) {
		count(&x->rows.v[x->v[i].row], &x->v[i]);
		if (is_measured(&x->v[i]))
			v[cnt++] = (struct timed){rsp_served_ns(&x->v[i]), (__u32)i, x->v[i].row};
	}
	if (rsp_sort(v, cnt, sizeof(*v), compare_timed) < 0)
		return -ENOMEM;
	for (size_t i = 1; i <= cnt; i++) {
		struct rsp_request_row *row = &x->rows.v[v[from].row];

		if (i < cnt && v[i].row == v[from].row)
			continue;
		row->cnt = i - from;
		row->order = calloc(row->cnt, sizeof(*row->order));
		if (!row->order) {
			row->cnt = 0;
			return -ENOMEM;
		}
		for (size_t j = 0; j < row->cnt; j++)
			row->order[j] = v[from + j].index;
		from = i;
	}
	return 0;
}

struct placed {
	struct rsp_request_row row;
	__u32 was;
};

static int compare_rows(const void *pa, const void *pb)
{
	const struct rsp_request_row *a = &((const struct placed *)pa)->row;
	const struct rsp_request_row *b = &((const struct placed *)pb)->row;
	int r;

	if (a->cnt != b->cnt)
		return a->cnt > b->cnt ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	r = strcmp(a->comm, b->comm);
	if (r == 0 && a->path && b->path)
		return strcmp(a->path->name, b->path->name);
	if (r == 0 && (a->path || b->path))
		return a->path ? 1 : -1;
	if (r || !a->sock || !b->sock)
		return r;
	return memcmp(a->sock->remote, b->sock->remote, sizeof(a->sock->remote));
}

/* (*ret_now_of)[old index of a row] gets the row's new index. */
static int sort_rows(struct rsp_exchange *x, __u32 **ret_now_of)
{
	struct placed *v = calloc(x->rows.cnt + 1, sizeof(*v));
	__u32 *now_of = calloc(x->rows.cnt + 1, sizeof(*now_of));

	if (!v || !now_of) {
		free(v);
		free(now_of);
		return -ENOMEM;
	}
	for (size_t i = 0; i < x->rows.cnt; i++)
		v[i] = (struct placed){x->rows.v[i], (__u32)i};
	qsort(v, x->rows.cnt, sizeof(*v), compare_rows);
	for (size_t i = 0; i < x->rows.cnt; i++) {
		x->rows.v[i] = v[i].row;
		now_of[v[i].was] = (__u32)i;
	}
	for (size_t i = 0; i < x->cnt; i++)
		x->v[i].row = now_of[x->v[i].row];
	free(v);
	*ret_now_of = now_of;
	return 0;
}

static void find_servers(struct rsp_request_finder *f, const __u32 *now_of)
{
	struct rsp_requests *found = f->found;

	for (size_t i = 0; i < found->calls.cnt; i++) {
		const struct rsp_served *s = &found->calls.v[i];
		struct rsp_request_row *row = &found->calls.rows.v[s->row];
		const struct rsp_ev_socket *sock = found->connections.v[s->connection].sock;
		uint64_t server;

		if (row->server == RSP_NO_ROW && sock &&
		    rsp_idmap_get(&f->flow_of, rsp_requests_flow(sock, false), &server))
			row->server = now_of[server];
	}
}

static void renumber(struct rsp_requests *found, const __u32 *server_now, const __u32 *peer_now)
{
	for (size_t i = 0; i < found->connections.cnt; i++) {
		struct rsp_connection *c = &found->connections.v[i];

		if (c->row != RSP_NO_ROW)
			c->row = c->end == RSP_END_CONNECTED ? peer_now[c->row]
							     : server_now[c->row];
	}
}

int rsp_requests_finish(struct rsp_request_finder *f)
{
	struct rsp_exchange *served = &f->found->served, *calls = &f->found->calls;
	__u32 *now_of, *peer_now;
	int r = adopt_all(f, served);

	if (r == 0)
		r = adopt_all(f, calls);
	if (r == 0)
		r = order(served);
	if (r == 0)
		r = order(calls);
	if (r == 0)
		r = sort_rows(served, &now_of);
	if (r < 0)
		return r;
	r = sort_rows(calls, &peer_now);
	if (r == 0) {
		find_servers(f, now_of);
		renumber(f->found, now_of, peer_now);
		free(peer_now);
	}
	free(now_of);
	return r;
}

/* --- figures ---------------------------------------------------------------------------------- */

__u64 rsp_requests_quantile_ns(const struct rsp_exchange *x, const struct rsp_request_row *row,
			       __u32 ppm)
{
	__u64 rank;

	if (!row->cnt)
		return 0;
	rank = (row->cnt * (__u64)ppm + 999999) / 1000000;
	return rsp_served_ns(&x->v[row->order[rank ? rank - 1 : 0]]);
}
