/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MESSAGE records -> the two NET records that each stands for. The recorder writes one record for a
 * message over a unix socket, since a record costs the sender time; everything right of the trace
 * reads a SEND and a READY, as for TCP.
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

/* Embedded: all zeroes is none. */
struct rsp_trace_messages {
	struct rsp_trace_halves **v; /* the arena's */
	size_t cnt, cap;
};

/* Makes both records, which live as long as the arena. Their sk is not known yet. 0 or -ENOMEM. */
int rsp_trace_message_halve(struct rsp_trace_messages *messages,
			    const struct rsp_ev_message *message, struct rsp_arena *arena,
			    struct rsp_trace_halves **ret);

/*
 * Fills in sk of all of them, once the trace has all SOCKET records. If it has that of neither end,
 * the SOCKET id takes the place of sk: it stands for the same end of the same connection.
 */
void rsp_trace_messages_resolve(const struct rsp_trace_messages *messages,
				const struct rsp_trace *trace);

void rsp_trace_messages_done(struct rsp_trace_messages *messages);

#endif
