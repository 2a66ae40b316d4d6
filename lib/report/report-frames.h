/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the few frames of a hop's stack that a report shows. frame-rules.h ranks the functions.
 * Views with whole stacks do not use this file.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/explain/explain.h"

/*
 * Stores up to max selected frames in ret, innermost first. Returns their number, which may be 0.
 *
 * For a wait, selects the program's own frames nearest the system call. Skips functions of libc, of
 * the kernel and of the program's runtime that carry out the wait, because all callers have these
 * frames. If none is left and the wait is outside of system calls, selects frames of the kernel.
 *
 * For a run, selects the innermost function, in the kernel or in the program, and then its callers
 * in the program. Skips functions of a runtime that only call others.
 *
 * Code that a JIT or an interpreter generated belongs to no file, and has a name only if there is a
 * perf map. The time of unnamed code must not be attributed to its caller, so such code ends the
 * search. For a run, unnamed code or a function without a symbol is the answer if no function that
 * it called is. For a wait, a function without a symbol is the answer only if there is no other.
 */
size_t rsp_frames_select(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/*
 * Returns whether the frame is code that was generated at run time and has no name: it is in no
 * file, and no perf map contains its name.
 */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* Returns the text for a frame: its symbol, or a text for unnamed code. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
