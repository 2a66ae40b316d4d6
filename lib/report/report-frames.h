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
 * none. Of a wait these are the program's own nearest the system call, past the functions by which
 * libc, the kernel and the program's runtime carry it out: they are the same for every caller. Only
 * of a wait in no system call they are the kernel's. Of a run it is the leaf, kernel or user, past
 * the functions by which a runtime calls others, then the program's above it.
 *
 * A caller is never named for unnamed code that it called: code in no file (of a JIT or an
 * interpreter) ends the search, and is itself the answer for a run. So is a run's function without
 * a symbol. Of a wait functions without symbols are left out, unless it has no other.
 */
size_t rsp_frames_telling(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

/* Code in no file that no map names: made at run time. */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f);

/* What to call a telling frame: its symbol, or the kind of code that it is. */
const char *rsp_frame_text(const struct rsp_frame *f);

#endif
