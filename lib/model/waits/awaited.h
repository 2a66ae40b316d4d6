/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times at which other threads waited for a thread of the process of interest. */
#ifndef RSP_LIB_AWAITED_H
#define RSP_LIB_AWAITED_H

#include "lib/model/model.h"
#include "lib/model/roots.h"
#include "lib/model/waits/polls.h"
#include "lib/model/waits/used.h"

struct rsp_awaited {
	/*
	 * A time in which at least one thread waited for this thread of the process. The list is
	 * sorted by thread, then by time. The times of one thread do not overlap.
	 */
	struct rsp_awaited_stretch {
		__u64 from_ns, to_ns;
		__u32 thread;
	} * v;
	size_t cnt, cap;
};

/* Marks the waits in used, unless used is NULL. Returns 0 or -ENOMEM. */
int rsp_awaited_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     const struct rsp_polls *polls, struct rsp_used *used, struct rsp_awaited *ret);
void rsp_awaited_done(struct rsp_awaited *a);

/* Returns whether any thread waited for this thread in [from_ns, to_ns). */
bool rsp_awaited_within(const struct rsp_awaited *a, __u32 thread, __u64 from_ns, __u64 to_ns);
/* Returns whether any thread waited for this thread at the end of the span. */
bool rsp_awaited_at_end(const struct rsp_awaited *a, const struct rsp_thread *t, __u32 thread,
			const struct rsp_span *span);

#endif
