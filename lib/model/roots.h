/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which threads are of the process of interest, and which part of their lives is asked for. */
#ifndef RSP_LIB_ROOTS_H
#define RSP_LIB_ROOTS_H

#include "model.h"

/* A thread of the process of interest (of META's target_tid alone, if it has one), and the part of
 * its life inside the span asked for. */
struct rsp_root {
	__u32 thread;
	__u64 from_ns, to_ns;
	bool idle; /* slept all the time: not explained, unless there is nothing else */
};

struct rsp_roots {
	struct rsp_root *v; /* in order of thread */
	size_t cnt, cap;
	__u32 main_thread; /* that the process has now, or had last */
	__u32 chosen_cnt;  /* not idle */
};

/* 0; -ESRCH: the target does not occur in the span; -ENOMEM. */
int rsp_roots_find(const struct rsp_model *m, struct rsp_roots *ret);
void rsp_roots_done(struct rsp_roots *r);

/* Who a thread was in this life of its tid; NULL: never heard of. */
const struct rsp_ev_task *rsp_thread_identity(const struct rsp_model *m,
					      const struct rsp_thread *t);

#endif
