/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the waits that consist of sleeps with a timeout. Sleeps at the same place with almost no
 * activity between them are one wait. If an arrival or a thread ended the last sleep, this arrival
 * or thread also ended the wait. If a timer ended the last sleep, RSP infers the thread for which
 * the poller waited: the poller had started the work of this thread, and the work was done when the
 * poller looked.
 */
#ifndef RSP_LIB_POLLS_H
#define RSP_LIB_POLLS_H

#include "lib/model/model.h"

/* Maximum number of spans in the search for the last idle span of a kernel thread. */
#define RSP_POLLS_WORK_SPANS_MAX 256

struct rsp_poll {
	__u32 thread;
	__u32 worker;  /* the thread that the poller waited for; RSP_NO_THREAD: unknown */
	__u64 from_ns; /* beginning of the first sleep */
	/* time at which the worker was done; only valid with a worker */
	__u64 ready_ns;
	__u64 ended_ns;	  /* end of the last sleep */
	__u64 noticed_ns; /* time at which the poller had a CPU again and could see the result */
	__u32 sleep_cnt;  /* more than one: a loop */
	/* the worker is inferred: no record shows that the poller waited for it */
	bool is_inferred;
	const struct rsp_span *last;
};

struct rsp_polls {
	struct {
		struct rsp_poll *v; /* sorted by thread, then by time */
		size_t cnt, cap;
	} list;
	__u32 *of_span; /* [number of a span]: index of its poll, or UINT32_MAX */
	bool *is_look;	/* [number of a span]: see rsp_polls_is_look() */
};

/* Returns 0 or -ENOMEM. */
int rsp_polls_new(const struct rsp_model *m, struct rsp_polls **ret);
struct rsp_polls *rsp_polls_free(struct rsp_polls *p);

/*
 * Returns the poll that contains the span (a sleep, or a wait for a CPU between two sleeps), or
 * NULL.
 */
const struct rsp_poll *rsp_polls_find(const struct rsp_polls *p, const struct rsp_thread *t,
				      const struct rsp_span *span);

/*
 * Returns whether another thread of the process ended this sleep, but the thread had no job: it
 * soon slept again at the same place, so it belongs to a pool, or it soon ended. Always false for
 * the main thread of a process.
 */
bool rsp_polls_is_look(const struct rsp_polls *p, const struct rsp_thread *t,
		       const struct rsp_span *span);

#endif
