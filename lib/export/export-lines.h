/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the address of each frame in a stack with inlined functions. A snapshot contains the
 * addresses of a stack, and the names of its frames, innermost first. An inlined function shares
 * the address of the function that contains it, so an address may have several names. The number of
 * names of each address is known if a binary has as many names as addresses in the stack, or only
 * one address. Otherwise, other stacks with the same addresses often show the number.
 */
#ifndef RSP_LIB_EXPORT_LINES_H
#define RSP_LIB_EXPORT_LINES_H

#include "lib/base/arena.h"
#include "lib/trace/trace.h"

/* A table of zeroes is empty. */
struct rsp_export_lines {
	struct rsp_idmap of_place; /* from an address to the id and the number of its names */
	struct rsp_intern names;   /* the names of an address; each name ends with a NUL */
};

/* Returns 0 or -ENOMEM. */
int rsp_export_lines_read(struct rsp_export_lines *l, const struct rsp_trace *trace);
/*
 * Adds the addresses in a user stack for which the names are known. cnt: number of frames, at most
 * RSP_NAMES_FRAMES_MAX, without the last frame of a partial stack. Returns 1: an address is new; 0:
 * none is new; -ENOMEM.
 */
int rsp_export_lines_learn(struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt);
void rsp_export_lines_done(struct rsp_export_lines *l);

/*
 * Sets ret[i] to 1 + the index of frame i's address in the stack; 0: the address is unknown. stack:
 * a user stack; cnt: number of frames, without the last frame of a partial stack.
 */
void rsp_export_lines_find(const struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt, __u16 *ret);

#endif
