/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See redact-owners.h. All records are read before any decision, because later records of a task
 * also count.
 */
#include "lib/snapshot/redact-owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/base/array.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/owner.h"

typedef int (*record_fn)(const struct rsp_ev_hdr *hdr, void *userdata);

/* Calls fn for each record of the snapshot, up to the first bad record of each section. */
static int for_each_record(const struct rsp_snapshot *snap, record_fn fn, void *userdata)
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

static enum rsp_owner_kind owner_of_task(const struct rsp_redact_owners *o,
					 const struct rsp_ev_task *task)
{
	if (rsp_task_is_kernel(task))
		return RSP_OWNER_KERNEL;
	return rsp_task_is_of(task, o->uid) ? RSP_OWNER_SELF : RSP_OWNER_OTHER;
}

static enum rsp_owner_kind owner_of_id(const struct rsp_redact_lives *lives, __u32 id)
{
	uint64_t owner = RSP_OWNER_OTHER;

	rsp_idmap_get(&lives->owner, id, &owner);
	return (enum rsp_owner_kind)owner;
}

static __u64 get_ns(const struct rsp_idmap *map, __u32 id)
{
	uint64_t ns = 0;

	rsp_idmap_get(map, id, &ns);
	return ns;
}

/* If records disagree, the owner is RSP_OWNER_OTHER, until add_exec() changes that. */
static int add_owner(struct rsp_redact_lives *lives, __u32 id, enum rsp_owner_kind owner,
		     __u64 ts_ns)
{
	uint64_t known;
	bool agrees = !rsp_idmap_get(&lives->owner, id, &known) || known == owner;
	int r = rsp_idmap_put(&lives->owner, id, agrees ? owner : RSP_OWNER_OTHER);

	if (r < 0 || owner == RSP_OWNER_SELF || ts_ns <= get_ns(&lives->other_ns, id))
		return r;
	return rsp_idmap_put(&lives->other_ns, id, ts_ns);
}

static int find_task(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	enum rsp_owner_kind owner;
	int r;

	if (hdr->kind != RSP_EV_TASK)
		return 0;
	owner = owner_of_task(o, task);
	r = add_owner(&o->tids, task->tid, owner, hdr->ts_ns);
	return r < 0 ? r : add_owner(&o->tgids, task->tgid, owner, hdr->ts_ns);
}

/*
 * A process may become non-dumpable at any time (PR_SET_DUMPABLE), and only its EXIT record shows
 * that.
 */
static int find_exit(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_exit *ev = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	int r;

	if (hdr->kind != RSP_EV_EXIT || !(ev->attrs & RSP_TASK_ATTR_CLOSED))
		return 0;
	r = add_owner(&o->tids, ev->tid, RSP_OWNER_OTHER, hdr->ts_ns);
	return r < 0 ? r : add_owner(&o->tgids, ev->tgid, RSP_OWNER_OTHER, hdr->ts_ns);
}

/*
 * Makes the thread or process the user's, from the first program on that it executes after the last
 * record of another owner.
 */
static int add_exec(struct rsp_redact_lives *lives, __u32 id, __u64 ts_ns)
{
	__u64 since_ns = get_ns(&lives->since, id);
	int r;

	if ((owner_of_id(lives, id) == RSP_OWNER_SELF && !since_ns) ||
	    ts_ns <= get_ns(&lives->other_ns, id) || (since_ns && since_ns <= ts_ns))
		return 0;
	r = rsp_idmap_put(&lives->owner, id, RSP_OWNER_SELF);
	return r < 0 ? r : rsp_idmap_put(&lives->since, id, ts_ns);
}

/*
 * A new program does not contain the memory of the old program, so a process may become the user's
 * when it executes one. The times of the records decide, since records of different CPUs are not in
 * order.
 */
static int find_exec(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	int r;

	if (hdr->kind != RSP_EV_TASK || !(hdr->flags & RSP_TASK_EXEC) ||
	    owner_of_task(o, task) != RSP_OWNER_SELF)
		return 0;
	r = add_exec(&o->tids, task->tid, hdr->ts_ns);
	return r < 0 ? r : add_exec(&o->tgids, task->tgid, hdr->ts_ns);
}

/*
 * The threads of a process share its memory and files, so they are the user's only if the whole
 * process is.
 */
static int join_process(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	__u64 since_ns;
	int r;

	if (hdr->kind != RSP_EV_TASK)
		return 0;
	since_ns = get_ns(&o->tgids.since, task->tgid);
	if (owner_of_id(&o->tgids, task->tgid) != owner_of_id(&o->tids, task->tid)) {
		r = rsp_idmap_put(&o->tids.owner, task->tid, RSP_OWNER_OTHER);
		if (r < 0)
			return r;
	}
	return since_ns <= get_ns(&o->tids.since, task->tid)
		       ? 0
		       : rsp_idmap_put(&o->tids.since, task->tid, since_ns);
}

/* --- lost records of threads ------------------------------------------------------------------ */

static int find_loss(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_lost *lost = (const void *)hdr;
	struct rsp_redact_owners *o = userdata;
	struct rsp_redact_loss *loss;

	if (hdr->kind != RSP_EV_LOST || !(hdr->flags & RSP_LOST_BIRTHS))
		return 0;
	loss = rsp_array_add(&o->losses);
	if (!loss)
		return -ENOMEM;
	*loss = (struct rsp_redact_loss){lost->from_ns, hdr->ts_ns};
	return 0;
}

static int add_task_time(const struct rsp_ev_hdr *hdr, void *userdata)
{
	struct rsp_redact_owners *o = userdata;
	struct rsp_redact_task_time *time;

	if (hdr->kind != RSP_EV_TASK || !o->losses.cnt)
		return 0;
	time = rsp_array_add(&o->task_times);
	if (!time)
		return -ENOMEM;
	*time = (struct rsp_redact_task_time){((const struct rsp_ev_task *)hdr)->tid, hdr->ts_ns};
	return 0;
}

static int compare_task_times(const void *pa, const void *pb)
{
	const struct rsp_redact_task_time *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->ts_ns < b->ts_ns ? -1 : a->ts_ns > b->ts_ns;
}

static int compare_losses(const void *pa, const void *pb)
{
	const struct rsp_redact_loss *a = pa, *b = pb;

	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

/* Extends losses, so that no loss ends earlier than a loss before it. */
static void sort_losses(struct rsp_redact_owners *o)
{
	if (!o->losses.cnt)
		return;
	qsort(o->losses.v, o->losses.cnt, sizeof(*o->losses.v), compare_losses);
	for (size_t i = 1; i < o->losses.cnt; i++)
		if (o->losses.v[i].to_ns < o->losses.v[i - 1].to_ns)
			o->losses.v[i].to_ns = o->losses.v[i - 1].to_ns;
	if (o->task_times.cnt)
		qsort(o->task_times.v, o->task_times.cnt, sizeof(*o->task_times.v),
		      compare_task_times);
}

/* Returns the time of the last TASK record of a thread at or before ts_ns; 0: there is none. */
static __u64 last_task_ns(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns)
{
	const struct rsp_redact_task_time wanted = {tid, ts_ns};
	size_t lo = 0, hi = o->task_times.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_task_times(&o->task_times.v[mid], &wanted) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && o->task_times.v[lo - 1].tid == tid ? o->task_times.v[lo - 1].ts_ns : 0;
}

/*
 * Returns whether a lost record may have changed the owner of the thread before ts_ns: the thread
 * may have executed a program, or another thread may have its id.
 */
static bool is_doubtful(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns)
{
	size_t lo = 0, hi = o->losses.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (o->losses.v[mid].from_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && o->losses.v[lo - 1].to_ns >= last_task_ns(o, tid, ts_ns);
}

enum rsp_owner_kind rsp_redact_owner(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns)
{
	enum rsp_owner_kind owner;

	if (tid == 0)
		return RSP_OWNER_KERNEL;
	owner = owner_of_id(&o->tids, tid);
	if (owner == RSP_OWNER_OTHER || ts_ns < get_ns(&o->tids.since, tid) ||
	    is_doubtful(o, tid, ts_ns))
		return RSP_OWNER_OTHER;
	return owner;
}

/* --- sockets -------------------------------------------------------------------------------- */

/* A connection, as seen from one end. IPv4 addresses are in IPv6 form. */
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

	memset(&f, 0, sizeof(f)); /* memcmp() compares the padding, too */
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

/* A kernel thread is ignored, because the kernel sends on behalf of any user. */
static int use_socket(struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns, __u64 sk)
{
	enum rsp_owner_kind owner = rsp_redact_owner(o, tid, ts_ns);
	uint64_t known;

	if (owner == RSP_OWNER_KERNEL)
		return 0;
	if (rsp_idmap_get(&o->sks, sk, &known) && known != owner)
		owner = RSP_OWNER_OTHER;
	return rsp_idmap_put(&o->sks, sk, owner);
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
	uint64_t owner;

	return rsp_idmap_get(&o->sks, sk, &owner) && owner == RSP_OWNER_SELF;
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
 * A task that queued a disk request is its maker. If the disk has no queue, the task that issued
 * the request to the device is its maker. Otherwise another task may have queued the request.
 */
static bool is_maker(const struct rsp_redact_owners *o, const struct rsp_ev_block *block)
{
	if (rsp_redact_owner(o, block->tid, block->hdr.ts_ns) != RSP_OWNER_SELF)
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
	    rsp_redact_owner(o, sw->prev_tid, hdr->ts_ns) == RSP_OWNER_SELF)
		return rsp_idmap_put(&o->objects, sw->object, 0);
	if (hdr->kind == RSP_EV_BLOCK && block->object && is_maker(o, block))
		return rsp_idmap_put(&o->objects, block->object, 0);
	return 0;
}

bool rsp_redact_owns_object(const struct rsp_redact_owners *o, __u64 id)
{
	return rsp_idmap_get(&o->objects, id, &(uint64_t){0});
}

/* --- all owners ----------------------------------------------------------------------------- */

int rsp_redact_owners_find(const struct rsp_snapshot *snap, struct rsp_redact_owners *o)
{
	static const record_fn threads[] = {find_task,	  find_exit, find_exec,
					    join_process, find_loss, add_task_time};
	static const record_fn things[] = {index_socket, find_socket, index_flow, find_queue,
					   find_object};
	int r = 0;

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]) && r == 0; i++)
		r = for_each_record(snap, threads[i], o);
	sort_losses(o);
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]) && r == 0; i++)
		r = for_each_record(snap, things[i], o);
	return r;
}

static void lives_done(struct rsp_redact_lives *lives)
{
	rsp_idmap_done(&lives->owner);
	rsp_idmap_done(&lives->since);
	rsp_idmap_done(&lives->other_ns);
}

void rsp_redact_owners_done(struct rsp_redact_owners *o)
{
	lives_done(&o->tids);
	lives_done(&o->tgids);
	free(o->losses.v);
	free(o->task_times.v);
	rsp_idmap_done(&o->socket_of);
	rsp_idmap_done(&o->sks);
	rsp_idmap_done(&o->flows);
	rsp_idmap_done(&o->objects);
	rsp_idmap_done(&o->queues);
}
