/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges two namings of one stack into the best of both. A stack may have been named on the host of
 * its processes, and again on a host with debug files; each knows some names that the other does
 * not.
 */
#ifndef RSP_LIB_MERGE_H
#define RSP_LIB_MERGE_H

#include "lib/trace/trace.h"

/*
 * Writes the merged frames to ret, which has room for the longer of the two, and returns their
 * number. Merges run by run of frames in one module, because inlined functions make the two differ
 * in length. In each run, takes the naming with fewer nameless frames; else the one with more
 * frames; else former.
 */
size_t rsp_frames_merge(const struct rsp_frame *former, size_t former_cnt,
			const struct rsp_frame *later, size_t later_cnt, struct rsp_frame *ret,
			size_t max);

#endif
