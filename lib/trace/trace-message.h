/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a MESSAGE record into the two NET records that it stands for. The recorder writes one
 * record per message over a unix socket, because each record costs the sender time. All readers of
 * a trace see a SEND and a READY, as for TCP.
 */
#ifndef RSP_LIB_TRACE_MESSAGE_H
#define RSP_LIB_TRACE_MESSAGE_H

#include <stddef.h>

#include "lib/base/arena.h"
#include "rsp/event.h"

struct rsp_trace;

struct rsp_trace_halves {
	struct rsp_ev_net send, ready;
};

/* Zero-initialized by the caller. */
struct rsp_trace_messages {
	struct rsp_trace_halves **v; /* elements belong to the arena */
	size_t cnt, cap;
};

/* Makes both records, which live as long as the arena, without sk. Returns 0 or -ENOMEM. */
int rsp_trace_message_halve(struct rsp_trace_messages *messages,
			    const struct rsp_ev_message *message, struct rsp_arena *arena,
			    struct rsp_trace_halves **ret);

/*
 * Fills in sk of all records, once the trace contains all SOCKET records. If the trace has a SOCKET
 * record of neither end, the SOCKET id takes the place of sk, since it identifies the same end of
 * the same connection.
 */
void rsp_trace_messages_resolve(const struct rsp_trace_messages *messages,
				const struct rsp_trace *trace);

void rsp_trace_messages_done(struct rsp_trace_messages *messages);

#endif
