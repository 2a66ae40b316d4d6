/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hop -> the few frames of its stack that tell a person something. The one place that knows which
 * functions are plumbing; whole stacks stay whole everywhere else.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/explain.h"

/*
 * Puts up to max telling frames of the hop into ret, leaf first, and returns how many, perhaps
 * none. Of a wait these are the program's own nearest the system call: what libc and the kernel do
 * to carry it out is the same for every caller. Only of a wait in no system call they are the
 * kernel's. Of a run it is the leaf, kernel or user, then the program's above it. Frames without a
 * name are left out, unless they are the leaf of a run or a wait has no other.
 */
size_t rsp_frames_telling(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max);

#endif
