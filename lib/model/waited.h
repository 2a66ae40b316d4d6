/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the process of interest waited in each blocked span of each thread: in those of its own
 * threads, and in those of whoever these waited for meanwhile. Filled by attribution; a sum over
 * the process's threads, as its total is.
 */
#ifndef RSP_LIB_WAITED_H
#define RSP_LIB_WAITED_H

#include "model.h"

struct rsp_waited {
	size_t *first; /* of each thread's spans, in ns */
	__u64 *ns;
};

int rsp_waited_init(struct rsp_waited *w, const struct rsp_model *m); /* -ENOMEM */
void rsp_waited_done(struct rsp_waited *w);

static inline void rsp_waited_add(struct rsp_waited *w, __u32 thread, size_t span, __u64 ns)
{
	w->ns[w->first[thread] + span] += ns;
}

static inline __u64 rsp_waited_ns(const struct rsp_waited *w, __u32 thread, size_t span)
{
	return w->ns[w->first[thread] + span];
}

#endif
