/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live-parts.h. Keeps the stacks, objects and sockets to which events refer by ID. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/live/live-parts.h"
#include "lib/snapshot/decode.h"

/* --- stacks ----------------------------------------------------------------------------------- */

static int learn_stack(struct rsp_live *live, const struct rsp_ev_stack *stack)
{
	struct rsp_live_frames *f;
	uint64_t i;
	int r;

	if (live->stacks.cnt >= RSP_LIVE_STACKS_MAX) {
		rsp_idmap_done(&live->stack_of);
		live->stacks.cnt = 0;
	}
	if (rsp_idmap_get(&live->stack_of, stack->id, &i)) {
		f = &live->stacks.v[i];
	} else {
		f = rsp_array_add(&live->stacks);
		if (!f)
			return -ENOMEM;
		r = rsp_idmap_put(&live->stack_of, stack->id, live->stacks.cnt - 1);
		if (r < 0)
			return r;
	}
	f->cnt = stack->frame_cnt < RSP_LIVE_FRAMES ? (__u8)stack->frame_cnt : RSP_LIVE_FRAMES;
	for (__u8 n = 0; n < f->cnt; n++)
		f->frames[n] = rsp_live_frame(stack, n);
	return 0;
}

const struct rsp_live_frames *rsp_live_stack(const struct rsp_live *live, __u64 id)
{
	uint64_t i;

	return id && rsp_idmap_get(&live->stack_of, id, &i) ? &live->stacks.v[i] : NULL;
}

/* --- objects ---------------------------------------------------------------------------------- */

static void forget_objects(struct rsp_live *live)
{
	for (size_t i = 0; i < live->objects.cnt; i++)
		free(live->objects.v[i]);
	live->objects.cnt = 0;
	rsp_idmap_done(&live->object_of);
}

static int learn_object(struct rsp_live *live, const struct rsp_ev_object *object)
{
	struct rsp_ev_object **slot, *copy;

	if (rsp_idmap_get(&live->object_of, object->id, &(uint64_t){0}))
		return 0;
	if (live->objects.cnt >= RSP_LIVE_OBJECTS_MAX)
		forget_objects(live);
	copy = malloc(sizeof(*copy));
	slot = copy ? rsp_array_add(&live->objects) : NULL;
	if (!slot) {
		free(copy);
		return -ENOMEM;
	}
	*copy = *object;
	*slot = copy;
	return rsp_idmap_put(&live->object_of, object->id, live->objects.cnt - 1);
}

const struct rsp_ev_object *rsp_live_object(const struct rsp_live *live, __u64 id)
{
	uint64_t i;

	return id && rsp_idmap_get(&live->object_of, id, &i) ? live->objects.v[i] : NULL;
}

/* --- sockets ---------------------------------------------------------------------------------- */

static __u64 mix(__u64 hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ULL; /* FNV-1a */
	return hash;
}

/* If swapped is set, returns the hash of the other end. */
static __u64 hash_ends(const struct rsp_ev_socket *s, bool swapped)
{
	__u64 hash = mix(0xcbf29ce484222325ULL, &s->protocol, sizeof(s->protocol));

	hash = mix(hash, swapped ? s->remote : s->local, sizeof(s->local));
	hash = mix(hash, swapped ? &s->remote_port : &s->local_port, sizeof(s->local_port));
	hash = mix(hash, swapped ? s->local : s->remote, sizeof(s->local));
	return mix(hash, swapped ? &s->local_port : &s->remote_port, sizeof(s->local_port));
}

static void forget_sockets(struct rsp_live *live)
{
	live->sockets.cnt = live->socks.cnt = 0;
	rsp_idmap_done(&live->socket_of);
	rsp_idmap_done(&live->sock_of);
	rsp_idmap_done(&live->ends_of);
}

static int learn_socket(struct rsp_live *live, const struct rsp_ev_socket *socket)
{
	struct rsp_ev_socket *copy;
	struct rsp_live_sock *sock;
	int r;

	if (rsp_idmap_get(&live->socket_of, socket->id, &(uint64_t){0}))
		return 0;
	if (live->sockets.cnt >= RSP_LIVE_SOCKETS_MAX)
		forget_sockets(live);
	copy = rsp_array_add(&live->sockets);
	if (!copy)
		return -ENOMEM;
	*copy = *socket;
	r = rsp_idmap_put(&live->socket_of, socket->id, live->sockets.cnt - 1);
	if (r == 0 && !rsp_socket_is_unix(socket) && socket->remote_port)
		r = rsp_idmap_put(&live->ends_of, hash_ends(socket, false), socket->sk);
	sock = r == 0 ? rsp_live_sock(live, socket->sk) : NULL;
	if (!sock)
		return -ENOMEM;
	sock->socket = socket->id;
	return 0;
}

const struct rsp_ev_socket *rsp_live_socket(const struct rsp_live *live, __u64 id)
{
	uint64_t i;

	return id && rsp_idmap_get(&live->socket_of, id, &i) ? &live->sockets.v[i] : NULL;
}

const struct rsp_live_sock *rsp_live_find_sock(const struct rsp_live *live, __u64 sk)
{
	uint64_t i;

	return sk && rsp_idmap_get(&live->sock_of, sk, &i) ? &live->socks.v[i] : NULL;
}

struct rsp_live_sock *rsp_live_sock(struct rsp_live *live, __u64 sk)
{
	struct rsp_live_sock *sock;
	uint64_t i;

	if (rsp_idmap_get(&live->sock_of, sk, &i))
		return &live->socks.v[i];
	if (live->socks.cnt >= RSP_LIVE_SOCKETS_MAX)
		forget_sockets(live);
	sock = rsp_array_add(&live->socks);
	if (!sock || rsp_idmap_put(&live->sock_of, sk, live->socks.cnt - 1) < 0)
		return NULL;
	sock->sk = sk;
	return sock;
}

const struct rsp_live_sock *rsp_live_peer(const struct rsp_live *live,
					  const struct rsp_ev_socket *sock)
{
	uint64_t sk;

	if (!sock)
		return NULL;
	if (rsp_socket_is_unix(sock))
		return rsp_live_find_sock(live, sock->un.peer);
	return rsp_idmap_get(&live->ends_of, hash_ends(sock, true), &sk)
		       ? rsp_live_find_sock(live, sk)
		       : NULL;
}

/* ---------------------------------------------------------------------------------------------- */

int rsp_live_learn(struct rsp_live *live, const struct rsp_ev_hdr *rec)
{
	switch (rec->kind) {
	case RSP_EV_STACK:
		return learn_stack(live, (const void *)rec);
	case RSP_EV_OBJECT:
		return learn_object(live, (const void *)rec);
	case RSP_EV_SOCKET:
		return learn_socket(live, (const void *)rec);
	case RSP_EV_BINARY:
		if (live->namer.binary &&
		    live->namer.binary((const void *)rec, live->namer.userdata))
			rsp_live_forget_names(live);
		return 0;
	default:
		return 0;
	}
}

void rsp_live_things_done(struct rsp_live *live)
{
	rsp_idmap_done(&live->stack_of);
	free(live->stacks.v);
	forget_objects(live);
	free(live->objects.v);
	forget_sockets(live);
	free(live->sockets.v);
	free(live->socks.v);
}
