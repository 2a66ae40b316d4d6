/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the newest part of a window again and again. rsp_window_foreach() has to read the whole
 * window, since the state at any point in time results from all records before it. A trail contains
 * the state at the end of a segment, so that the next reading can continue there.
 *
 * Each reading happens in another process, with an image of the same window.
 */
#ifndef RSP_LIB_TRAIL_H
#define RSP_LIB_TRAIL_H

#include "lib/snapshot/window.h"

/* Maximum size of a trail. If a trail would be larger, no trail is made. */
#define RSP_TRAIL_BYTES_MAX ((size_t)32 << 20)

struct rsp_trail {
	void *bytes; /* NULL: there is no trail */
	size_t len;
};

/*
 * Like rsp_window_foreach(), but passes a name from an old segment only if a passed record may
 * refer to it. from: the trail of an earlier call with an earlier since_ns, or an empty trail. A
 * trail that no longer fits the window counts as empty. *ret: the new trail, or an empty trail; the
 * caller frees it with rsp_trail_done().
 */
int rsp_trail_foreach(const struct rsp_window *win, const struct rsp_trail *from, __u64 since_ns,
		      rsp_window_chunk_fn cb, void *userdata, struct rsp_trail *ret);
void rsp_trail_done(struct rsp_trail *t);

#endif
