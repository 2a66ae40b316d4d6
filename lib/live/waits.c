/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See live-parts.h. Finds the waiting threads, and the threads for which they wait. No record
 * contains the thread that will end a wait, so this file infers this thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/syscalls.h"
#include "lib/live/live-parts.h"
#include "lib/snapshot/decode.h"

#define HOPS_MAX 4

/* --- the awaited threads -------------------------------------------------------------------- */

/*
 * Returns the tid of a child that runs or waits for a CPU, because such a child probably ends
 * first. If there is none, returns any child, or 0.
 */
static __u32 child_of(const struct rsp_live *live, const struct rsp_live_thread *t)
{
	__u32 tgid = live->processes.v[t->process].tgid, found = 0;

	for (size_t i = 0; i < live->threads.cnt; i++) {
		const struct rsp_live_thread *child = &live->threads.v[i];

		if (!child->used || child->tid == t->tid || child->process == t->process ||
		    (child->ptid != tgid && child->ptid != t->tid))
			continue;
		if (child->state == RSP_LIVE_RUNS || child->state == RSP_LIVE_WANTS)
			return child->tid;
		found = child->tid;
	}
	return found;
}

static __u32 peer_of(const struct rsp_live *live, const struct rsp_ev_socket *socket)
{
	const struct rsp_live_sock *peer = rsp_live_peer(live, socket);

	return peer ? peer->sender : 0;
}

static const struct rsp_ev_socket *socket_of(const struct rsp_live *live,
					     const struct rsp_live_thread *t)
{
	const struct rsp_ev_socket *socket = rsp_live_socket(live, t->object);
	const struct rsp_live_sock *sock;

	if (socket || !t->question_sk || !rsp_syscall_polls(t->syscall_nr))
		return socket;
	sock = rsp_live_find_sock(live, t->question_sk);
	return sock ? rsp_live_socket(live, sock->socket) : NULL;
}

static __u32 ender_of(const struct rsp_live *live, const struct rsp_live_thread *t)
{
	__u32 tid = peer_of(live, socket_of(live, t));

	if (tid)
		return tid;
	if (rsp_syscall_awaits_child(t->syscall_nr))
		return child_of(live, t);
	return t->woken_place && t->woken_place == rsp_live_place(t) ? t->woken_by : 0;
}

static const char *state_name(const struct rsp_live *live, const struct rsp_live_thread *t,
			      __u64 now_ns)
{
	switch (t->state) {
	case RSP_LIVE_RUNS:
		return "on CPU";
	case RSP_LIVE_WANTS:
		return "waits for a CPU";
	case RSP_LIVE_BLOCKED:
		return rsp_live_category(live, t, now_ns) == RSP_LIVE_DISK ? "disk" : "waits";
	default:
		return "?";
	}
}

static void add(char *text, size_t size, const char *format, const char *a, __u32 b)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, format, a, b);
}

static void name_awaited(const struct rsp_live *live, const struct rsp_live_thread *t, __u64 now_ns,
			 char *ret, size_t size)
{
	const struct rsp_ev_socket *socket = socket_of(live, t);
	__u32 seen[HOPS_MAX + 1] = {t->tid};
	char peer[64];
	int hops = 0;

	*ret = '\0';
	if (t->flags & RSP_SW_IOWAIT) {
		snprintf(ret, size, "disk");
		return;
	}
	for (__u32 tid = ender_of(live, t); tid; tid = ender_of(live, t)) {
		for (int i = 0; i <= hops; i++)
			if (seen[i] == tid)
				return;
		t = rsp_live_thread(live, tid);
		if (!t)
			return;
		add(ret, size, hops ? " ← %s [%u]" : "%s [%u]", t->comm, t->tid);
		seen[++hops] = tid;
		if (hops == HOPS_MAX || t->state != RSP_LIVE_BLOCKED || t->flags & RSP_SW_IOWAIT)
			break;
	}
	if (hops)
		add(ret, size, " (%s)", state_name(live, t, now_ns), 0);
	else if (socket && !rsp_socket_is_unix(socket) && socket->remote_port)
		snprintf(ret, size, "%s", rsp_socket_remote(socket, peer, sizeof(peer)));
}

/* --- places of waits ------------------------------------------------------------------------ */

/* Functions of these modules only wrap system calls, and do not show the place of a wait. */
static bool is_wrapper(const char *module)
{
	return !strncmp(module, "libc.so", 7) || !strncmp(module, "ld-linux", 8) ||
	       !strncmp(module, "libpthread", 10) || !strncmp(module, "libc-2", 6) ||
	       !strncmp(module, "ld-musl", 7);
}

static void name_place(struct rsp_live *live, const struct rsp_live_thread *t, char *ret,
		       size_t size)
{
	const struct rsp_live_frames *stack = rsp_live_stack(live, t->ustack);
	const char *symbol, *module;
	__u32 name;

	*ret = '\0';
	for (int i = 0; stack && i < stack->cnt; i++) {
		if (rsp_live_name_frame(live, stack->frames[i], &name) < 0)
			return;
		rsp_live_name(live, name, &symbol, &module);
		if (!is_wrapper(module) || i == stack->cnt - 1) {
			snprintf(ret, size, "%s", symbol);
			return;
		}
	}
}

static void name_object(const struct rsp_live *live, const struct rsp_live_thread *t, char *ret,
			size_t size)
{
	const struct rsp_ev_socket *socket = socket_of(live, t);
	const struct rsp_ev_object *object;

	*ret = '\0';
	if (t->flags & RSP_SW_FUTEX)
		return;
	if (socket) {
		if (!rsp_socket_is_unix(socket) && socket->remote_port)
			rsp_socket_remote(socket, ret, size);
		else
			rsp_socket_local(socket, ret, size);
		return;
	}
	object = rsp_live_object(live, t->object);
	if (object)
		rsp_object_name(object, ret, size);
}

static void name_call(const struct rsp_live_thread *t, char *ret, size_t size)
{
	char buf[32];

	if (t->flags & RSP_SW_FAULT)
		snprintf(ret, size, "page fault");
	else if (t->syscall_nr >= 0)
		snprintf(ret, size, "%s", rsp_syscall_label(t->syscall_nr, buf, sizeof(buf)));
	else
		*ret = '\0';
}

/* --- rows ------------------------------------------------------------------------------------- */

struct candidate {
	__u64 since_ns;
	__u32 thread;
};

static int compare_since(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->since_ns != b->since_ns)
		return a->since_ns < b->since_ns ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static void put_row(struct rsp_live *live, const struct rsp_live_thread *t, __u64 now_ns,
		    struct rsp_live_waiter *ret)
{
	*ret = (struct rsp_live_waiter){
		.tgid = live->processes.v[t->process].tgid,
		.tid = t->tid,
		.ns = now_ns > t->since_ns ? now_ns - t->since_ns : 0,
		.category = (__u8)rsp_live_category(live, t, now_ns),
		.at_least = t->at_least || t->since_ns < live->pause_end_ns,
	};
	memcpy(ret->comm, t->comm, sizeof(ret->comm));
	ret->is_idle = ret->category == RSP_LIVE_IDLE;
	name_call(t, ret->call, sizeof(ret->call));
	name_object(live, t, ret->object, sizeof(ret->object));
	name_place(live, t, ret->place, sizeof(ret->place));
	name_awaited(live, t, now_ns, ret->awaited, sizeof(ret->awaited));
}

void rsp_live_put_waiters(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret)
{
	_cleanup_free_ struct candidate *v = reallocarray(NULL, live->threads.cnt + 1, sizeof(*v));
	__u32 cnt = 0;

	for (size_t i = 0; v && i < live->threads.cnt; i++) {
		const struct rsp_live_thread *t = &live->threads.v[i];

		if (!t->used || t->state != RSP_LIVE_BLOCKED ||
		    !rsp_live_wants(live, how, t->process) ||
		    (!how->with_idle && rsp_live_category(live, t, ret->now_ns) == RSP_LIVE_IDLE))
			continue;
		v[cnt++] = (struct candidate){t->since_ns, (__u32)i};
	}
	if (v)
		qsort(v, cnt, sizeof(*v), compare_since);
	ret->waiter_cnt = cnt;
	for (__u32 i = 0; i < cnt && i < how->row_max; i++)
		put_row(live, &live->threads.v[v[i].thread], ret->now_ns,
			&ret->waiters[ret->waiter_rows++]);
}
