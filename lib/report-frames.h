/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack -> the few frames of it that tell a person something. The one place that knows which
 * functions are plumbing; whole stacks stay whole everywhere else.
 */
#ifndef RSP_LIB_REPORT_FRAMES_H
#define RSP_LIB_REPORT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "trace.h"

/*
 * Puts up to max telling frames into ret, leaf first, and returns how many. Of a wait these are the
 * user's frames nearest the system call, the kernel's only when there is no user frame that tells
 * anything. Of a run it is the leaf, kernel or user, then the user's frames above it. At least one
 * frame of a stack that has any.
 */
size_t rsp_frames_telling(const struct rsp_frame *frames, size_t frame_cnt, bool waiting,
			  const struct rsp_frame **ret, size_t max);

#endif
