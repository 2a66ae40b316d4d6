/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files trace*.c share. */
#ifndef RSP_LIB_TRACE_PARTS_H
#define RSP_LIB_TRACE_PARTS_H

#include <stddef.h>

#include "lib/base/arena.h"
#include "lib/trace/trace.h"
#include "rsp/event.h"

/* --- trace-marks.c: collects marks and counters ----------------------------------------------- */

/* Returns 0 or -ENOMEM. */
int rsp_trace_add_mark(struct rsp_trace *trace, const struct rsp_ev_mark *mark);
/*
 * Adds counters, but skips a set of counters that this version does not know. Returns 0 or -ENOMEM.
 */
int rsp_trace_add_counters(struct rsp_trace *trace, const struct rsp_ev_counters *counters);
/* Must be called after the last rsp_trace_add_mark() and rsp_trace_add_counters(). */
void rsp_trace_sort_marks(struct rsp_trace *trace);

/* --- trace-message.c -------------------------------------------------------------------------- */

/*
 * The two NET records that a MESSAGE record stands for. The recorder writes one record per message
 * over a unix socket, because each record costs the sender time.
 */
struct rsp_trace_halves {
	struct rsp_ev_net send, ready;
};

/* Zero-initialized by the caller. */
struct rsp_trace_messages {
	struct rsp_trace_halves **v; /* elements belong to the arena */
	size_t cnt, cap;
};

/* Makes both records in the memory of the arena, without sk. Returns 0 or -ENOMEM. */
int rsp_trace_message_halve(struct rsp_trace_messages *messages,
			    const struct rsp_ev_message *message, struct rsp_arena *arena,
			    struct rsp_trace_halves **ret);

/*
 * Fills in sk of all records, after the trace has got all SOCKET records. If neither end of a
 * connection has a SOCKET record, the SOCKET id replaces sk, because it identifies the same end of
 * the same connection.
 */
void rsp_trace_messages_resolve(const struct rsp_trace_messages *messages,
				const struct rsp_trace *trace);

void rsp_trace_messages_done(struct rsp_trace_messages *messages);

/* --- trace-pending.c -------------------------------------------------------------------------- */

/*
 * A user stack may end early because an unwind table is missing (RSP_STACK_PENDING): the recorder
 * loads the table of a binary when it first finds the binary on a stack. The whole stack that
 * begins with the same frames replaces it.
 *
 * The candidates for the replacement are stacks of the same thread and the same program, with the
 * same kernel stack and with user frames that begin with the frames of the short stack. Candidates
 * that are the beginning of another candidate do not count. If there is exactly one candidate, it
 * replaces the short stack. If there is no candidate, the stacks of all threads of the process are
 * candidates. If there are several candidates, the short stack stays: a short stack is better than
 * a wrong stack.
 */

/* Replaces events of the trace by copies with the whole stack. Returns 0 or -ENOMEM. */
int rsp_trace_complete_stacks(struct rsp_trace *trace, struct rsp_arena *copies);

#endif
