/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps with a timeout -> the waits they are parts of. Sleeps at the same place, with next to
 * nothing done between them, are one wait ("while (!done) poll(…)": the paper's de facto sleeps).
 * If an arrival or a thread ended the last one, that ended the wait. If a timer did, and the thread
 * had set another one going that was done by the time it looked, it polled for that: inferred, for
 * no wakeup tells.
 */
#ifndef RSP_LIB_POLLS_H
#define RSP_LIB_POLLS_H

#include "model.h"

struct rsp_poll {
	__u32 thread;
	__u32 worker;		     /* whom it polled for, or RSP_NO_THREAD: nobody we know of */
	__u64 from_ns;		     /* de facto start */
	__u64 ready_ns;		     /* the worker was done; with a worker only */
	__u64 ended_ns;		     /* the last of the sleeps did */
	__u64 noticed_ns;	     /* it had a CPU again, to see what has become of it */
	__u32 sleep_cnt;	     /* more than one: a loop */
	bool is_inferred;	     /* the worker is: no record says that it was waited for */
	const struct rsp_span *last; /* of the sleeps */
};

struct rsp_polls {
	struct {
		struct rsp_poll *v; /* ordered by thread, then by time */
		size_t cnt, cap;
	} list;
	__u32 *of_span; /* number of a span -> index, or UINT32_MAX */
	bool *is_look;	/* by number of a span; see rsp_polls_is_look() */
};

int rsp_polls_new(const struct rsp_model *m, struct rsp_polls **ret); /* -ENOMEM */
struct rsp_polls *rsp_polls_free(struct rsp_polls *p);

/* What the span is part of, one of the sleeps or a wait for a CPU between them; or NULL. */
const struct rsp_poll *rsp_polls_find(const struct rsp_polls *p, const struct rsp_thread *t,
				      const struct rsp_span *span);

/*
 * Whether the span is a sleep of a pool's thread that has nothing to do: another thread of the
 * process wakes it now and then, it only has a look, and sleeps on at the same place. Never of a
 * process's first thread.
 */
bool rsp_polls_is_look(const struct rsp_polls *p, const struct rsp_thread *t,
		       const struct rsp_span *span);

#endif
