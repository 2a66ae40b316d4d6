/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that serves is idle while none of its requests and calls is pending, and its threads
 * wait for events, timers or jobs. If no socket shows that the process serves, RSP infers idle time
 * from the waits of its threads (rests.c).
 */
#ifndef RSP_LIB_IDLE_H
#define RSP_LIB_IDLE_H

#include "lib/model/waits/service.h"
#include "lib/model/waits/used.h"

struct rsp_idle {
	struct rsp_service service;
	bool rests;
	/*
	 * whether the process rests in a wait that began before the recording: an older request may
	 * still be pending
	 */
	bool is_asleep;
};

/*
 * Finds the requests and calls of the process, and whether the process rests. was_run: the process
 * is a command that rspctl ran, and never rests. used: may be NULL. Returns 0 or -ENOMEM.
 */
int rsp_idle_find(const struct rsp_model *m, const struct rsp_roots *roots, bool was_run,
		  struct rsp_used *used, struct rsp_idle *ret);
void rsp_idle_done(struct rsp_idle *idle);

/* The kinds of waits of a thread that has nothing to do. */
enum rsp_rest {
	RSP_REST_NONE,	/* the thread has something to do */
	RSP_REST_EVENT, /* the thread waits for a client or a signal, or for one of several files */
	RSP_REST_SLEEP,
	/* the thread waits at a futex, for a job from another thread or for a timer */
	RSP_REST_JOB,
};

/*
 * Returns the kind of a wait in which the thread has nothing to do, or RSP_REST_NONE. A span that
 * another thread of the process ended does not count.
 */
enum rsp_rest rsp_idle_rest(const struct rsp_model *m, __u32 thread, const struct rsp_span *span);

/*
 * Like rsp_idle_rest(), but judges only how the span began: ignores how it ended, and whether the
 * files of a poll are known.
 */
enum rsp_rest rsp_idle_wait(const struct rsp_model *m, const struct rsp_span *span);

/*
 * Returns whether the span is a poll of files that RSP does not know. A census cannot read the list
 * of files, which is in the memory of the process.
 */
bool rsp_idle_polls_unknown(const struct rsp_span *span);

/* rests.c: returns whether the process rests. *ret_is_asleep: as in struct rsp_idle. */
bool rsp_rests(const struct rsp_model *m, const struct rsp_roots *roots, struct rsp_used *used,
	       bool *ret_is_asleep);

#endif
