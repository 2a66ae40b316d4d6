/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of raw addresses, and the MMAP records of who had mapped what -> stacks of frames in
 * binaries. For a stack as of its own time: the image of its process that owned it when it was
 * taken (inherited on fork, dropped on exec, replaced when mapped over).
 */
#ifndef RSP_LIB_MAPPED_H
#define RSP_LIB_MAPPED_H

#include "lib/trace/trace.h"

struct rsp_mapped;

/* trace outlives it. 0, -ENOMEM. */
int rsp_mapped_new(const struct rsp_trace *trace, struct rsp_mapped **ret);
struct rsp_mapped *rsp_mapped_free(struct rsp_mapped *m);

/*
 * Puts the frames of a user stack into ret and returns how many, or -ENOMEM. Stacks come in time
 * order. Addresses in no file stay as they are, unless the leaf has a mapping: then the first that
 * has none ends the stack. A program built without frame pointers keeps other things in that
 * register: the recorder followed them to addresses that are none.
 */
int rsp_mapped_frames(struct rsp_mapped *m, const struct rsp_ev_stack *stack,
		      __u64 ret[static RSP_STACK_FRAMES_MAX]);

/* As rsp_trace_binary(), for the binaries of such frames, too. */
const struct rsp_ev_binary *rsp_mapped_binary(const struct rsp_mapped *m, __u32 number);

#endif
