/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#ifndef RSP_LIB_TRACE_PENDING_H
#define RSP_LIB_TRACE_PENDING_H

#include "lib/base/arena.h"
#include "lib/trace/trace.h"

/*
 * Replaces events of the trace by copies with the whole stack. Takes time in proportion to the
 * events and the frames of their stacks. 0 or -ENOMEM.
 */
int rsp_trace_complete_stacks(struct rsp_trace *trace, struct rsp_arena *copies);

#endif
