/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the few frames of a hop's stack that a report shows. frame-rules.h ranks the functions.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/explain/explain.h"

/*
 * Stores up to max selected frames in ret, innermost first. Returns their number, which may be 0.
 *
 * For a wait, selects the program's own frames nearest the system call. If there are none and the
 * wait is outside of system calls, selects frames of the kernel.
 *
 * For a run, selects the innermost function, in the kernel or in the program, and then its callers
 * in the program. Skips functions of a runtime that only call others.
 *
 * The time of unnamed JIT code must not be attributed to its caller, so such code ends the search.
 */
size_t rsp_frames_select(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/* Returns whether the frame is code without a name that was generated at run time. */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* Returns the text for a frame: its symbol, or a text for unnamed code. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
