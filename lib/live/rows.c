/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live-parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/live/live-parts.h"
#include "lib/snapshot/decode.h"

bool rsp_live_wants(const struct rsp_live *live, const struct rsp_live_how *how, __u32 process)
{
	const struct rsp_live_process_state *p = &live->processes.v[process];

	return (!how->own_only || p->is_open) && (!how->pid || p->tgid == how->pid) &&
	       (!how->comm[0] || strncmp(p->comm, how->comm, sizeof(p->comm)) == 0);
}

bool rsp_live_wants_pid(const struct rsp_live *live, const struct rsp_live_how *how, __u32 tgid)
{
	uint64_t process;

	if (!how->pid && !how->comm[0] && !how->own_only)
		return true;
	return rsp_idmap_get(&live->process_of, tgid, &process) &&
	       rsp_live_wants(live, how, (__u32)process);
}

/* --- processes -------------------------------------------------------------------------------- */

static __u64 weight(const struct rsp_live_process *p)
{
	return p->cat_ns[RSP_LIVE_CPU];
}

static __u64 delay(const struct rsp_live_process *p)
{
	__u64 sum = 0;

	for (int cat = RSP_LIVE_QUEUE; cat < RSP_LIVE_OTHER; cat++)
		sum += p->cat_ns[cat];
	return sum;
}

static int compare_processes(const void *pa, const void *pb)
{
	const struct rsp_live_process *a = pa, *b = pb;

	if (weight(a) != weight(b))
		return weight(a) > weight(b) ? -1 : 1;
	if (delay(a) != delay(b))
		return delay(a) > delay(b) ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

static void add(struct rsp_live_process *to, const struct rsp_live_process_state *p)
{
	to->thread_cnt += p->thread_cnt;
	for (int cat = 0; cat < RSP_LIVE_CATEGORIES; cat++)
		to->cat_ns[cat] += p->cat_ns[cat];
}

static bool is_empty(const struct rsp_live_process_state *p)
{
	__u64 sum = p->thread_cnt;

	for (int cat = 0; cat < RSP_LIVE_CATEGORIES; cat++)
		sum += p->cat_ns[cat];
	return !sum;
}

/* NULL: out of memory. */
static struct rsp_live_process *row_of(const struct rsp_live_process_state *p,
				       const struct rsp_live_how *how, struct rsp_idmap *cgroups,
				       struct rsp_live_process *rows, size_t *cnt)
{
	uint64_t i = *cnt;

	if (how->by_cgroup && rsp_idmap_get(cgroups, p->cgroup_id, &i))
		return &rows[i];
	if (how->by_cgroup && rsp_idmap_put(cgroups, p->cgroup_id, i) < 0)
		return NULL;
	rows[*cnt] = (struct rsp_live_process){.cgroup_id = p->cgroup_id};
	if (!how->by_cgroup) {
		rows[*cnt].tgid = p->tgid;
		memcpy(rows[*cnt].comm, p->comm, sizeof(rows[*cnt].comm));
	}
	return &rows[(*cnt)++];
}

void rsp_live_put_processes(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap cgroups = {0};
	_cleanup_free_ struct rsp_live_process *rows = reallocarray(NULL, live->processes.cnt + 1,
								    sizeof(*rows));
	size_t cnt = 0;

	for (size_t i = 0; rows && i < live->processes.cnt; i++) {
		const struct rsp_live_process_state *p = &live->processes.v[i];
		struct rsp_live_process *row;

		if (!p->used || is_empty(p) || (how->own_only && !p->is_open))
			continue;
		ret->process_cnt += p->thread_cnt != 0;
		for (int cat = 0; cat < RSP_LIVE_CATEGORIES; cat++)
			ret->cat_ns[cat] += p->cat_ns[cat];
		if (!rsp_live_wants(live, how, (__u32)i))
			continue;
		row = row_of(p, how, &cgroups, rows, &cnt);
		if (row)
			add(row, p);
	}
	if (rows)
		qsort(rows, cnt, sizeof(*rows), compare_processes);
	for (size_t i = 0; i < cnt && i < how->row_max; i++)
		ret->processes[ret->process_rows++] = rows[i];
}

/* --- servers ---------------------------------------------------------------------------------- */

static __u64 key_of(const struct rsp_live *live, const struct rsp_live_sock *sock,
		    const struct rsp_ev_socket *socket)
{
	const struct rsp_live_thread *t = rsp_live_thread(live, sock->sender);
	__u64 where = rsp_socket_is_unix(socket) ? socket->un.path : socket->local_port;

	/*
	 * Before the first answer, the process that serves a connection is unknown. The key then
	 * contains only the port or the path.
	 */
	return t ? where ^ (__u64)live->processes.v[t->process].tgid << 32 : where;
}

static void name_server(const struct rsp_live *live, const struct rsp_live_sock *sock,
			const struct rsp_ev_socket *socket, struct rsp_live_server *ret)
{
	const struct rsp_live_thread *t = rsp_live_thread(live, sock->sender);
	const struct rsp_ev_object *path;

	if (t) {
		memcpy(ret->comm, live->processes.v[t->process].comm, sizeof(ret->comm));
		ret->tgid = live->processes.v[t->process].tgid;
	}
	if (!rsp_socket_is_unix(socket)) {
		snprintf(ret->where, sizeof(ret->where), ":%u", socket->local_port);
		return;
	}
	path = rsp_live_object(live, socket->un.path);
	if (path)
		rsp_object_name(path, ret->where, sizeof(ret->where));
	else
		snprintf(ret->where, sizeof(ret->where), "unix socket");
}

static int compare_servers(const void *pa, const void *pb)
{
	const struct rsp_live_server *a = pa, *b = pb;

	if (a->in_flight_cnt != b->in_flight_cnt)
		return a->in_flight_cnt > b->in_flight_cnt ? -1 : 1;
	if (a->answered_cnt != b->answered_cnt)
		return a->answered_cnt > b->answered_cnt ? -1 : 1;
	return strcmp(a->where, b->where);
}

struct servers {
	struct rsp_live_server *v;
	size_t cnt, cap;
	struct rsp_idmap index;
};

static void servers_done(struct servers *servers)
{
	free(servers->v);
	rsp_idmap_done(&servers->index);
}

static void add_sock(struct rsp_live *live, struct rsp_live_sock *sock, __u64 now_ns,
		     struct servers *servers)
{
	const struct rsp_ev_socket *socket = rsp_live_socket(live, sock->socket);
	struct rsp_live_server *row;
	uint64_t i, key;

	if (!socket || (!sock->arrived_ns && !sock->answered_cnt))
		return;
	key = key_of(live, sock, socket);
	if (rsp_idmap_get(&servers->index, key, &i)) {
		row = &servers->v[i];
	} else {
		row = rsp_array_add(servers);
		if (!row || rsp_idmap_put(&servers->index, key, servers->cnt - 1) < 0)
			return;
		name_server(live, sock, socket, row);
	}
	row->answered_cnt += sock->answered_cnt;
	row->sum_ns += sock->sum_ns;
	if (sock->max_ns > row->max_ns)
		row->max_ns = sock->max_ns;
	sock->answered_cnt = sock->sum_ns = sock->max_ns = 0;
	if (sock->arrived_ns <= live->pause_end_ns || sock->arrived_ns > now_ns)
		return;
	row->in_flight_cnt++;
	if (now_ns - sock->arrived_ns > row->oldest_ns)
		row->oldest_ns = now_ns - sock->arrived_ns;
}

void rsp_live_put_servers(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret)
{
	_cleanup_(servers_done) struct servers servers = {0};

	for (size_t i = 0; i < live->socks.cnt; i++)
		add_sock(live, &live->socks.v[i], ret->now_ns, &servers);
	if (servers.cnt)
		qsort(servers.v, servers.cnt, sizeof(*servers.v), compare_servers);
	for (size_t i = 0; i < servers.cnt; i++) {
		if (!rsp_live_wants_pid(live, how, servers.v[i].tgid))
			continue;
		ret->in_flight_cnt += (__u32)servers.v[i].in_flight_cnt;
		if (ret->server_rows < how->row_max)
			ret->servers[ret->server_rows++] = servers.v[i];
	}
}
