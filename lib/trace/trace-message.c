/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trace-parts.h. */
#include "lib/trace/trace-parts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/snapshot/decode.h"
#include "lib/trace/trace.h"

static struct rsp_ev_net half_of(const struct rsp_ev_message *message, __u16 flag, __u64 object)
{
	struct rsp_ev_net net = {
		.hdr = message->hdr,
		.tid = message->tid,
		.object = object,
	};

	net.hdr.kind = RSP_EV_NET;
	net.hdr.size = sizeof(net);
	net.hdr.flags = (message->hdr.flags & RSP_NET_LATE) | flag;
	return net;
}

int rsp_trace_message_halve(struct rsp_trace_messages *messages,
			    const struct rsp_ev_message *message, struct rsp_arena *arena,
			    struct rsp_trace_halves **ret)
{
	struct rsp_trace_halves *halves = rsp_arena_alloc(arena, sizeof(*halves));
	struct rsp_trace_halves **slot = halves ? rsp_array_add(messages) : NULL;

	if (!slot)
		return -ENOMEM;
	halves->send = half_of(message, RSP_NET_SEND, message->from);
	halves->send.bytes = message->bytes;
	halves->ready = half_of(message, RSP_NET_READY, message->to);
	*slot = *ret = halves;
	return 0;
}

/* Either of the two SOCKET records suffices. */
static __u64 end_of(const struct rsp_trace *trace, __u64 object, __u64 other)
{
	const struct rsp_ev_socket *own = rsp_trace_socket(trace, object);
	const struct rsp_ev_socket *peer = rsp_trace_socket(trace, other);

	if (rsp_socket_is_unix(own))
		return own->sk;
	return rsp_socket_is_unix(peer) ? peer->un.peer : object;
}

void rsp_trace_messages_resolve(const struct rsp_trace_messages *messages,
				const struct rsp_trace *trace)
{
	for (size_t i = 0; i < messages->cnt; i++) {
		struct rsp_ev_net *send = &messages->v[i]->send, *ready = &messages->v[i]->ready;

		send->sk = end_of(trace, send->object, ready->object);
		ready->sk = end_of(trace, ready->object, send->object);
	}
}

void rsp_trace_messages_done(struct rsp_trace_messages *messages)
{
	free(messages->v);
}
