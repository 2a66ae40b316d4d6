/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the newest part of a window again and again. rsp_window_foreach() has to read the whole
 * window, since the state at any moment results from all records before it. A trail contains that
 * state at the end of some segment, so that the next reading can continue from there. Its time
 * depends on the amount recorded since then, not on the size of the window.
 *
 * The readers are different processes, each with an image of the same window. A trail consists of
 * bytes that only such a process reads.
 */
#ifndef RSP_LIB_TRAIL_H
#define RSP_LIB_TRAIL_H

#include "lib/snapshot/window.h"

/*
 * If a trail would exceed this size, there is none, and the next reading covers the whole window.
 */
#define RSP_TRAIL_BYTES_MAX ((size_t)32 << 20)

struct rsp_trail {
	void *bytes; /* NULL: none */
	size_t len;
};

/*
 * Like rsp_window_foreach(). from: the trail of an earlier call with an earlier since_ns, or an
 * empty one. A trail that no longer fits the window counts as empty. *ret: the new trail, or an
 * empty one; free with rsp_trail_done().
 */
int rsp_trail_foreach(const struct rsp_window *win, const struct rsp_trail *from, __u64 since_ns,
		      rsp_window_chunk_fn cb, void *userdata, struct rsp_trail *ret);
void rsp_trail_done(struct rsp_trail *t);

#endif
