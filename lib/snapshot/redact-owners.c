/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See redact-owners.h. All records are read before anything is decided, because later records of a
 * task, or of another life of its id, count as well.
 */
#include "redact-owners.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "decode.h"
#include "owner.h"

int rsp_redact_foreach(const struct rsp_snapshot *snap, rsp_redact_fn fn, void *userdata)
{
	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *sec = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &off, &hdr) > 0) {
			int r = fn(hdr, userdata);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* --- threads -------------------------------------------------------------------------------- */

static enum rsp_whose whose_task(const struct rsp_redact_owners *o, const struct rsp_ev_task *task)
{
	if (rsp_task_is_kernel(task))
		return RSP_WHOSE_KERNEL;
	return rsp_task_is_of(task, o->uid) ? RSP_WHOSE_OWN : RSP_WHOSE_OTHER;
}

static struct rsp_redact_life life_of(const struct rsp_idmap *whose, const struct rsp_idmap *since,
				      __u32 id)
{
	uint64_t w = RSP_WHOSE_OTHER, since_ns = 0;

	rsp_idmap_get(whose, id, &w);
	rsp_idmap_get(since, id, &since_ns);
	return (struct rsp_redact_life){(enum rsp_whose)w, since_ns};
}

/*
 * Adds what one more record shows about the owner of a thread or process. A new program has no
 * memory of the old one. That is how each process of a user begins: it was root's until login or a
 * service manager changed its user and started the program. If a thread belonged to the kernel and
 * to a user, its owner is unknown.
 */
static int add_life(struct rsp_idmap *map, struct rsp_idmap *since, __u32 id,
		    const struct rsp_ev_task *task, enum rsp_whose whose)
{
	uint64_t known;

	if (rsp_idmap_get(map, id, &known) && known != whose) {
		if (whose == RSP_WHOSE_OWN && (task->hdr.flags & RSP_TASK_EXEC)) {
			int r = rsp_idmap_put(since, id, task->hdr.ts_ns);

			if (r < 0)
				return r;
		} else {
			whose = RSP_WHOSE_OTHER;
		}
	}
	return rsp_idmap_put(map, id, whose);
}

static int find_task(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	int r;

	if (hdr->kind != RSP_EV_TASK)
		return 0;
	r = add_life(&o->tids, &o->tid_since, task->tid, task, whose_task(o, task));
	if (r < 0)
		return r;
	return add_life(&o->tgids, &o->tgid_since, task->tgid, task, whose_task(o, task));
}

/* A process may become non-dumpable at any time (PR_SET_DUMPABLE); its EXIT record shows that. */
static int find_exit(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_exit *ev = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;

	if (hdr->kind != RSP_EV_EXIT || !(ev->attrs & RSP_TASK_ATTR_CLOSED))
		return 0;
	if (rsp_idmap_put(&o->tids, ev->tid, RSP_WHOSE_OTHER) < 0)
		return -ENOMEM;
	return rsp_idmap_put(&o->tgids, ev->tgid, RSP_WHOSE_OTHER);
}

/*
 * The threads of a process share its memory and files, so it is the user's only if all of them are.
 */
static int join_process(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	struct rsp_redact_life process, thread;
	int r;

	if (hdr->kind != RSP_EV_TASK)
		return 0;
	process = life_of(&o->tgids, &o->tgid_since, task->tgid);
	thread = life_of(&o->tids, &o->tid_since, task->tid);
	if (process.whose != thread.whose)
		thread.whose = RSP_WHOSE_OTHER;
	if (process.since_ns > thread.since_ns)
		thread.since_ns = process.since_ns;
	r = rsp_idmap_put(&o->tids, task->tid, thread.whose);
	return r < 0 ? r : rsp_idmap_put(&o->tid_since, task->tid, thread.since_ns);
}

enum rsp_whose rsp_redact_whose(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns)
{
	struct rsp_redact_life life;

	if (tid == 0)
		return RSP_WHOSE_KERNEL;
	life = life_of(&o->tids, &o->tid_since, tid);
	return ts_ns < life.since_ns ? RSP_WHOSE_OTHER : life.whose;
}

/* --- sockets -------------------------------------------------------------------------------- */

/* Both ends of a connection, as seen from one of them; IPv4 in IPv6 form. */
struct flow {
	__u8 local[16], remote[16];
	__u16 local_port, remote_port, protocol;
};

static void set_address(__u8 ret[static 16], const __u8 addr[static 16], __u16 family)
{
	static const __u8 prefix[12] = {[10] = 0xff, [11] = 0xff};

	if (family == AF_INET6) {
		memcpy(ret, addr, 16);
		return;
	}
	memcpy(ret, prefix, sizeof(prefix));
	memcpy(ret + sizeof(prefix), addr, 4);
}

static struct flow flow_of(const struct rsp_ev_socket *sock, bool swapped)
{
	struct flow f;

	memset(&f, 0, sizeof(f)); /* it is compared as bytes */
	if (rsp_socket_is_unix(sock)) {
		memcpy(f.local, swapped ? &sock->un.peer : &sock->sk, sizeof(__u64));
		memcpy(f.remote, swapped ? &sock->sk : &sock->un.peer, sizeof(__u64));
		memcpy(f.remote + 8, &sock->un.connection, sizeof(sock->un.connection));
		return f;
	}
	set_address(f.local, swapped ? sock->remote : sock->local, sock->family);
	set_address(f.remote, swapped ? sock->local : sock->remote, sock->family);
	f.local_port = swapped ? sock->remote_port : sock->local_port;
	f.remote_port = swapped ? sock->local_port : sock->remote_port;
	f.protocol = sock->protocol;
	return f;
}

static __u64 hash_flow(const struct flow *f)
{
	const __u8 *p = (const void *)f;
	__u64 h = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < sizeof(*f); i++)
		h = (h ^ p[i]) * 0x100000001b3ULL; /* FNV-1a */
	return h;
}

static int index_socket(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_socket *sock = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;

	if (hdr->kind != RSP_EV_SOCKET)
		return 0;
	return rsp_idmap_put(&o->socket_of, sock->id, (uintptr_t)sock);
}

static const struct rsp_ev_socket *socket_of(const struct rsp_redact_owners *o, __u64 id)
{
	uint64_t sock = 0;

	rsp_idmap_get(&o->socket_of, id, &sock);
	return (const struct rsp_ev_socket *)(uintptr_t)sock;
}

/* The kernel sends on behalf of any owner, so its use of a socket is no evidence. */
static int use_socket(struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns, __u64 sk)
{
	enum rsp_whose whose = rsp_redact_whose(o, tid, ts_ns);
	uint64_t known;

	if (whose == RSP_WHOSE_KERNEL)
		return 0;
	if (rsp_idmap_get(&o->sks, sk, &known) && known != whose)
		whose = RSP_WHOSE_OTHER;
	return rsp_idmap_put(&o->sks, sk, whose);
}

static int use_senders_socket(struct rsp_redact_owners *o, const struct rsp_ev_message *message)
{
	const struct rsp_ev_socket *sock = socket_of(o, message->from);

	return sock ? use_socket(o, message->tid, message->hdr.ts_ns, sock->sk) : 0;
}

static int find_socket(const struct rsp_ev_hdr *hdr, void *userdata)
{
	struct rsp_redact_owners *o = userdata;
	const struct rsp_ev_switch *sw = (const void *)hdr;
	const struct rsp_ev_net *net = (const void *)hdr;
	const struct rsp_ev_socket *sock;

	if (hdr->kind == RSP_EV_NET && hdr->flags & (RSP_NET_SEND | RSP_NET_CONNECT))
		return use_socket(o, net->tid, hdr->ts_ns, net->sk);
	if (hdr->kind == RSP_EV_MESSAGE)
		return use_senders_socket(o, (const void *)hdr);
	if (hdr->kind != RSP_EV_SWITCH || hdr->flags & RSP_SW_FUTEX)
		return 0;
	sock = socket_of(o, sw->object);
	return sock ? use_socket(o, sw->prev_tid, hdr->ts_ns, sock->sk) : 0;
}

static bool owns_sk(const struct rsp_redact_owners *o, __u64 sk)
{
	uint64_t whose;

	return rsp_idmap_get(&o->sks, sk, &whose) && whose == RSP_WHOSE_OWN;
}

static int index_flow(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_socket *sock = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	struct flow f;

	if (hdr->kind != RSP_EV_SOCKET || !owns_sk(o, sock->sk))
		return 0;
	if (!sock->remote_port && !rsp_socket_is_unix(sock))
		return 0;
	f = flow_of(sock, false);
	return rsp_idmap_put(&o->flows, hash_flow(&f), (uintptr_t)sock);
}

bool rsp_redact_owns_socket(const struct rsp_redact_owners *o, const struct rsp_ev_socket *sock)
{
	struct flow want = flow_of(sock, true), found;
	uint64_t own;

	if (owns_sk(o, sock->sk))
		return true;
	if (!rsp_idmap_get(&o->flows, hash_flow(&want), &own))
		return false;
	found = flow_of((const void *)(uintptr_t)own, false);
	return memcmp(&want, &found, sizeof(want)) == 0;
}

const struct rsp_ev_socket *rsp_redact_own_socket(const struct rsp_redact_owners *o, __u64 id)
{
	const struct rsp_ev_socket *sock = socket_of(o, id);

	return sock && rsp_redact_owns_socket(o, sock) ? sock : NULL;
}

/* --- files ---------------------------------------------------------------------------------- */

static int find_queue(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_block *block = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;

	if (hdr->kind != RSP_EV_BLOCK || !(hdr->flags & RSP_BLK_INSERT))
		return 0;
	return rsp_idmap_put(&o->queues, block->dev, 0);
}

/*
 * The task that queued a request made it. The task that issued it to the device made it only if the
 * disk has no queue: otherwise it may have issued the request of another task.
 */
static bool is_maker(const struct rsp_redact_owners *o, const struct rsp_ev_block *block)
{
	if (rsp_redact_whose(o, block->tid, block->hdr.ts_ns) != RSP_WHOSE_OWN)
		return false;
	if (block->hdr.flags & RSP_BLK_INSERT)
		return true;
	return block->hdr.flags & RSP_BLK_ISSUE &&
	       !rsp_idmap_get(&o->queues, block->dev, &(uint64_t){0});
}

static int find_object(const struct rsp_ev_hdr *hdr, void *userdata)
{
	struct rsp_redact_owners *o = userdata;
	const struct rsp_ev_switch *sw = (const void *)hdr;
	const struct rsp_ev_block *block = (const void *)hdr;

	if (hdr->kind == RSP_EV_SWITCH && !(hdr->flags & RSP_SW_FUTEX) && sw->object &&
	    rsp_redact_whose(o, sw->prev_tid, hdr->ts_ns) == RSP_WHOSE_OWN)
		return rsp_idmap_put(&o->objects, sw->object, 0);
	if (hdr->kind == RSP_EV_BLOCK && block->object && is_maker(o, block))
		return rsp_idmap_put(&o->objects, block->object, 0);
	return 0;
}

bool rsp_redact_owns_object(const struct rsp_redact_owners *o, __u64 id)
{
	return rsp_idmap_get(&o->objects, id, &(uint64_t){0});
}

/* --- all together --------------------------------------------------------------------------- */

int rsp_redact_owners_find(const struct rsp_snapshot *snap, struct rsp_redact_owners *o)
{
	static const rsp_redact_fn passes[] = {find_task,   find_exit,	join_process, index_socket,
					       find_socket, index_flow, find_queue,   find_object};
	int r = 0;

	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]) && r == 0; i++)
		r = rsp_redact_foreach(snap, passes[i], o);
	return r;
}

void rsp_redact_owners_done(struct rsp_redact_owners *o)
{
	rsp_idmap_done(&o->tids);
	rsp_idmap_done(&o->tgids);
	rsp_idmap_done(&o->tid_since);
	rsp_idmap_done(&o->tgid_since);
	rsp_idmap_done(&o->socket_of);
	rsp_idmap_done(&o->sks);
	rsp_idmap_done(&o->flows);
	rsp_idmap_done(&o->objects);
	rsp_idmap_done(&o->queues);
}
