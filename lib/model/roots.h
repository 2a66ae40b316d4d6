/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the threads of the process of interest, and the parts of their lives to explain. */
#ifndef RSP_LIB_ROOTS_H
#define RSP_LIB_ROOTS_H

#include "lib/model/model.h"

/*
 * A thread of the process of interest, and the part of its life inside the requested span. If META
 * has a target_tid, the only root is that thread.
 */
struct rsp_root {
	__u32 thread;
	__u64 from_ns, to_ns;
	/*
	 * the thread slept all the time. If all roots slept, one of them does not count as idle:
	 * the main thread, or else the first root.
	 */
	bool idle;
};

struct rsp_roots {
	struct rsp_root *v; /* in order of thread */
	size_t cnt, cap;
	__u32 main_thread; /* index of the newest main thread of the process */
	__u32 chosen_cnt;  /* number of roots that are not idle */
};

/* Returns 0, -ENOMEM, or -ESRCH if the target does not occur in the span. */
int rsp_roots_find(const struct rsp_model *m, struct rsp_roots *ret);
/*
 * For a redacted snapshot: finds all threads of the user's processes, and sets main_thread to
 * RSP_NO_THREAD. Returns 0 or -ENOMEM.
 */
int rsp_roots_find_own(const struct rsp_model *m, struct rsp_roots *ret);
void rsp_roots_done(struct rsp_roots *r);

/* Returns the newest TASK record of a thread in this life of its tid, or NULL. */
const struct rsp_ev_task *rsp_thread_identity(const struct rsp_model *m,
					      const struct rsp_thread *t);

/*
 * Returns the last TASK record of a thread before the end of the span, or NULL. rsp_thread_comm()
 * writes the name in this record, or "?". rsp_thread_tgid() returns the process ID in
 * rsp_thread_identity(), or else the tid.
 */
const struct rsp_ev_task *rsp_thread_last_task(const struct rsp_model *m, __u32 thread);
void rsp_thread_comm(const struct rsp_model *m, __u32 thread, char comm[static RSP_COMM_MAX]);
__u32 rsp_thread_tgid(const struct rsp_model *m, __u32 thread);
/* Returns the process that created the thread's process, or adopted it; 0: unknown. */
__u32 rsp_thread_parent_tgid(const struct rsp_model *m, __u32 thread);

#endif
