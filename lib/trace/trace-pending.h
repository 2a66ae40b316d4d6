/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user stack that ends for want of a table (RSP_STACK_PENDING) -> the whole one that it is the
 * beginning of, so that what a thread does again and again has one stack, however much of it could
 * be unwound each time: a binary's table is loaded the first time that its code is met. Stacks that
 * end early for other reasons do so each time.
 *
 * What counts as the same place: the same kernel stack, or none, and all the user frames there are.
 * Of the stacks that the thread had at that place, between the execs of its process, there must be
 * one alone, not counting those that are its beginning in turn; if the thread had none, of those of
 * all threads of its process. Else the stack stays as it is: a short one is better than a wrong
 * one.
 */
#ifndef RSP_LIB_TRACE_PENDING_H
#define RSP_LIB_TRACE_PENDING_H

#include "lib/base/arena.h"
#include "trace.h"

/*
 * Replaces events of the trace by copies with the whole stack. The time it takes grows with the
 * events and the frames of their stacks. 0 or -ENOMEM.
 */
int rsp_trace_complete_stacks(struct rsp_trace *trace, struct rsp_arena *copies);

#endif
