/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of a trace share. */
#ifndef RSP_LIB_TRACE_PARTS_H
#define RSP_LIB_TRACE_PARTS_H

#include <stddef.h>

#include "lib/base/arena.h"
#include "lib/trace/trace.h"
#include "rsp/event.h"

/* --- trace-marks.c: collects marks and counters ----------------------------------------------- */

/* Returns 0 or -ENOMEM. */
int rsp_trace_add_mark(struct rsp_trace *trace, const struct rsp_ev_mark *mark);
/* Skips a set that this version does not know. Returns 0 or -ENOMEM. */
int rsp_trace_add_counters(struct rsp_trace *trace, const struct rsp_ev_counters *counters);
/* Sorts marks and counters by time, after all of them were added. */
void rsp_trace_sort_marks(struct rsp_trace *trace);

/* --- trace-message.c -------------------------------------------------------------------------- */

/*
 * Turns a MESSAGE record into the two NET records that it stands for. The recorder writes one
 * record per message over a unix socket, because each record costs the sender time. All readers of
 * a trace see a SEND and a READY, as for TCP.
 */
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

/* --- trace-pending.c -------------------------------------------------------------------------- */

/*
 * Replaces a user stack that ends because of a missing table (RSP_STACK_PENDING) by the whole stack
 * that it is the beginning of. The table of a binary is loaded when its code is first met, so the
 * stacks before that are short. With this, repeated activity of a thread has one stack, however
 * much of it could be unwound each time. Stacks that end early for other reasons always do so.
 *
 * Stacks are at the same place if they have the same kernel stack, or none, and the same user
 * frames as far as there are any. Of the stacks that the thread had at that place, between the
 * execs of its process, exactly one must remain, not counting those that are the beginning of
 * another one. If the thread had none, the stacks of all threads of its process count. Otherwise
 * the stack stays as it is: a short stack is better than a wrong one.
 */

/*
 * Replaces events of the trace by copies with the whole stack. Takes time in proportion to the
 * events and the frames of their stacks. 0 or -ENOMEM.
 */
int rsp_trace_complete_stacks(struct rsp_trace *trace, struct rsp_arena *copies);

#endif
