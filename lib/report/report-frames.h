/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hop -> the few frames that a report shows of its stack. frame-rules.h ranks the functions.
 * Views with whole stacks do not use this file.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/explain/explain.h"

/*
 * Puts up to max of these frames into ret, leaf first, and returns their number, which may be 0.
 * For a wait these are the program's own frames nearest the system call; the functions of libc, the
 * kernel and the program's runtime that carry out the wait are skipped, because every caller has
 * them. For a wait outside of system calls they are the kernel's. For a run they are the leaf
 * (kernel or user; a runtime's calling functions are skipped), then the program's callers.
 *
 * The report never shows unnamed code under the name of its caller. Code in no file (of a JIT or an
 * interpreter) ends the search; for a run it is the answer. A function without a symbol is the
 * answer for a run, too; for a wait it is skipped, unless there is no other.
 */
size_t rsp_frames_select(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/*
 * Returns whether the frame is code that was made at run time, which is in no file and has no name
 * in a map.
 */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* Returns the text for such a frame: its symbol, or the kind of code. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
