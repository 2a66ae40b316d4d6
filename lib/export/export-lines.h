/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the address of each frame of a stack in which functions were inlined. A snapshot contains
 * the addresses of a stack, and the names of its frames, innermost first. An inlined function has a
 * name but no address: it shares the address of the function into which it was inlined. The number
 * of names of an address is not recorded. But it is known if a binary has as many names as
 * addresses in the stack, or only one address, and often if other stacks contain the same
 * addresses.
 */
#ifndef RSP_LIB_EXPORT_LINES_H
#define RSP_LIB_EXPORT_LINES_H

#include "lib/base/arena.h"
#include "lib/trace/trace.h"

/* The names of known addresses. A zeroed table is empty. */
struct rsp_export_lines {
	struct rsp_idmap of_place; /* address -> number of the names, and their count */
	struct rsp_intern names;   /* the symbols of an address, each with its NUL */
};

/* Fills the table from all stacks of the trace. Returns 0 or -ENOMEM. */
int rsp_export_lines_read(struct rsp_export_lines *l, const struct rsp_trace *trace);
/*
 * Adds the addresses of one user stack that can be found. cnt is at most RSP_NAMES_FRAMES_MAX, and
 * does not count the last frame of a partial stack. Returns 1 if any address is new, 0 if none is,
 * or -ENOMEM.
 */
int rsp_export_lines_learn(struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt);
void rsp_export_lines_done(struct rsp_export_lines *l);

/*
 * Stores for each of cnt frames the number of its address in the stack, from 1; 0: unknown. stack
 * is a user stack, and cnt does not count the last frame of a partial stack.
 */
void rsp_export_lines_find(const struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt, __u16 *ret);

#endif
