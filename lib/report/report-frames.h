/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hop -> the few frames of its stack that tell a person something. Which functions are plumbing
 * is in frame-rules.h; whole stacks stay whole everywhere else.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/explain.h"

/*
 * Puts up to max telling frames of the hop into ret, leaf first, and returns how many, perhaps
 * none. For a wait these are the program's own frames nearest the system call; the functions of
 * libc, the kernel and the program's runtime that carry out the wait are skipped, because every
 * caller has them. For a wait outside of system calls they are the kernel's. For a run they are the
 * leaf (kernel or user; a runtime's calling functions are skipped), then the program's callers.
 *
 * Unnamed code never passes for the caller that has a name. Code in no file (of a JIT or an
 * interpreter) ends the search; for a run it is the answer. A function without a symbol is the
 * answer for a run, too; for a wait it is skipped, unless there is no other.
 */
size_t rsp_frames_telling(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/* Code in no file that no map names: made at run time. */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* What to call a telling frame: its symbol, or the kind of code that it is. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
