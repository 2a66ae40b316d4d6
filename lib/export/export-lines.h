/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the address of each frame in a stack with inlined functions. A snapshot contains the
 * addresses of a stack, and the names of its frames, innermost first. An inlined function has a
 * name but no address: it shares the address of the function that contains it. A snapshot does not
 * contain the number of names per address. This number is known if a binary has as many names as
 * addresses in the stack, or only one address. Often it is also known from other stacks with the
 * same addresses.
 */
#ifndef RSP_LIB_EXPORT_LINES_H
#define RSP_LIB_EXPORT_LINES_H

#include "lib/base/arena.h"
#include "lib/trace/trace.h"

/* Known addresses and their names. A zeroed table is empty. */
struct rsp_export_lines {
	struct rsp_idmap of_place; /* address -> number of the names, and their count */
	struct rsp_intern names;   /* the symbols of an address; each symbol ends with a NUL */
};

/* Fills the table from all stacks of the trace. Returns 0 or -ENOMEM. */
int rsp_export_lines_read(struct rsp_export_lines *l, const struct rsp_trace *trace);
/*
 * Adds those addresses of one user stack whose names are known. cnt is at most
 * RSP_NAMES_FRAMES_MAX, and does not include the last frame of a partial stack. Returns 1 if any
 * address is new, 0 if not, or -ENOMEM.
 */
int rsp_export_lines_learn(struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt);
void rsp_export_lines_done(struct rsp_export_lines *l);

/*
 * For each of cnt frames, stores the position of its address in the stack, from 1; 0: unknown.
 * stack is a user stack. cnt does not include the last frame of a partial stack.
 */
void rsp_export_lines_find(const struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt, __u16 *ret);

#endif
