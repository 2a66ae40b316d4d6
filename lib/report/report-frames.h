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
 * For a wait, selects the program's own frames nearest the system call. Skips the functions of
 * libc, of the kernel and of the program's runtime that carry out the wait, because all callers
 * have these frames. For a wait outside of system calls, selects the kernel's frames. For a run,
 * selects the leaf, in the kernel or in the program, and then the program's callers. Skips
 * functions of a runtime that only call others. The report never attributes unnamed code to its
 * caller. Code in no file (of a JIT or an interpreter) therefore ends the search; for a run, this
 * code is the answer. A function without a symbol is the answer for a run, too. For a wait, it is
 * the answer only if there is no other.
 */
size_t rsp_frames_select(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/*
 * Returns whether the frame is code that was generated at run time: it is in no file, and no map
 * contains its name.
 */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* Returns the text for such a frame: its symbol, or the kind of code. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
