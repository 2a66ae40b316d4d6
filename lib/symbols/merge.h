/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two namings of one stack -> the best of both. A stack may have been named where its processes
 * lived, and again where debug files are: each knows what the other does not.
 */
#ifndef RSP_LIB_MERGE_H
#define RSP_LIB_MERGE_H

#include "lib/trace/trace.h"

/*
 * Puts the frames to show into ret, which has room for the longer of the two, and returns how many.
 * Run by run of frames in one module, as inlined functions make namings differ in length: the
 * naming that leaves fewer frames without a name, else the one that has more, else the former.
 */
size_t rsp_frames_merge(const struct rsp_frame *former, size_t former_cnt,
			const struct rsp_frame *later, size_t later_cnt, struct rsp_frame *ret,
			size_t max);

#endif
