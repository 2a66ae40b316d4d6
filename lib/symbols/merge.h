/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges two namings of one stack. A stack may have been named on the host of its processes, and
 * again on a host with debug files. Each host knows some names that the other one does not know.
 */
#ifndef RSP_LIB_SYMBOLS_MERGE_H
#define RSP_LIB_SYMBOLS_MERGE_H

#include "lib/trace/trace.h"

/*
 * Writes the merged frames to ret, which has room for max frames, and returns their number. Both
 * namings are divided into runs of frames in one module, because inlined functions can make one
 * naming longer. For each run, takes the naming with fewer nameless frames, else the longer one,
 * else former. If the modules of the runs differ, takes one naming for the whole stack, by the same
 * rules.
 */
size_t rsp_frames_merge(const struct rsp_frame *former, size_t former_cnt,
			const struct rsp_frame *later, size_t later_cnt, struct rsp_frame *ret,
			size_t max);

#endif
