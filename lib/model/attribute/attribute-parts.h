/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attribute.c walks along the path (the threads that wait for each other), and the other files
 * explain pieces of time. A function explains the whole piece, or moves the end of the piece back
 * to the end of the explained part.
 */
#ifndef RSP_LIB_ATTRIBUTE_PARTS_H
#define RSP_LIB_ATTRIBUTE_PARTS_H

#include "lib/model/attribute/attribute.h"

/* span explains the piece; NULL: no span, for example before the first record of the thread. */
struct rsp_piece {
	__u64 from_ns, to_ns;
	__u32 thread;
	__u32 node; /* the hop that waits for this thread, or RSP_NO_NODE */
	/* a kernel worker's item that the hop waits for, or RSP_NO_WORK */
	__u32 work;
	const struct rsp_span *span;
	/* The end of the wait that the piece is part of. 0: the wait ends with the piece. */
	__u64 until_ns;
	unsigned int flags; /* enum rsp_hop_flags */
	/* 1 + the number of the sample whose stack the piece gets; 0: no sample */
	__u32 sample;
	enum rsp_why why;
	const struct rsp_ev_delay *reclaim; /* the reclaim that the piece is part of, or NULL */
};

/* The texts of a hop, as numbers of struct rsp_names. */
struct rsp_label {
	__u32 object, behind, syscall, frames;
};

static inline const struct rsp_thread *rsp_attribution_thread(const struct rsp_attribution *a,
							      __u32 thread)
{
	return &a->model->threads.v[thread];
}

static inline const struct rsp_thread *rsp_piece_thread(const struct rsp_attribution *a,
							const struct rsp_piece *p)
{
	return rsp_attribution_thread(a, p->thread);
}

/* --- attribute.c ----------------------------------------------------------------------------- */

void rsp_attribute_leaf(struct rsp_attribution *a, const struct rsp_piece *p, enum rsp_category cat,
			struct rsp_label label);
/* Adds a leaf for the piece up to until_ns at most, and removes this part from the piece. */
void rsp_attribute_leaf_until(struct rsp_attribution *a, struct rsp_piece *p, __u64 until_ns,
			      enum rsp_category cat, struct rsp_label label);
/* Continues the path at the thread cause, for which the piece's thread waited during the piece. */
void rsp_attribute_follow(struct rsp_attribution *a, const struct rsp_piece *p, __u32 cause,
			  struct rsp_label label);
/*
 * Returns false if the thread is already on the path, the path is too long, or the budget is used
 * up.
 */
bool rsp_attribute_may_follow(const struct rsp_attribution *a, __u32 thread);
/*
 * Returns whether all threads of the current path, except the root, belong to the process of
 * interest.
 */
bool rsp_attribution_is_among_own(const struct rsp_attribution *a, __u64 ts_ns);
/* out may be NULL. */
struct rsp_label rsp_attribute_label(struct rsp_attribution *a, const struct rsp_ev_switch *out);

/* --- attribute-idle.c: each function returns whether it explained the piece ------------------- */

/*
 * Explains the piece as idle if the thread waits for an event, a timer or a job, and no request or
 * call of the process is pending. Ends the piece where a request or call begins or ends.
 */
bool rsp_attribute_idle(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * Explains a wait that a client's request ended: as idle, or by an older request or call that has
 * no answer yet. May end the piece where another request or call begins or ends.
 */
bool rsp_attribute_idle_arrival(struct rsp_attribution *a, struct rsp_piece *p,
				const struct rsp_arrival *arrival);
/*
 * Explains a wait of an event loop that lasts until the end of the recording, if the loop waits for
 * the answer to a call. Ends the piece where a call begins or ends.
 */
bool rsp_attribute_open_call(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * For processes with several threads: explains a sleep until a timer expires as idle, unless the
 * thread polls for a worker, or another thread waits for this thread.
 */
bool rsp_attribute_idle_until_timer(struct rsp_attribution *a, const struct rsp_piece *p,
				    const struct rsp_poll *poll, struct rsp_label label);
/*
 * For processes with several threads: explains a wait as idle if the thread then had no job, unless
 * another thread waits for this thread. sleep: the sleep of the piece, or the last sleep of its
 * polling loop.
 */
bool rsp_attribute_idle_in_pool(struct rsp_attribution *a, const struct rsp_piece *p,
				const struct rsp_span *sleep);

/* --- attribute-run.c, -wait.c, -disk.c, -cpu.c ------------------------------------------------ */

void rsp_attribute_run(struct rsp_attribution *a, const struct rsp_piece *p);
void rsp_attribute_blocked(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * rsp_attribute_polled() explains a piece of a polling loop, rsp_attribute_request() a piece in
 * which the thread of a request waits for an answer. Each returns whether it explained the piece.
 */
bool rsp_attribute_polled(struct rsp_attribution *a, struct rsp_piece *p);
bool rsp_attribute_request(struct rsp_attribution *a, struct rsp_piece *p);
void rsp_attribute_disk(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * Explains a sleep by which the kernel slows the thread down. Returns false for other sleeps, and
 * during memory reclaim.
 */
bool rsp_attribute_slowed(struct rsp_attribution *a, const struct rsp_piece *p);
void rsp_attribute_runnable(struct rsp_attribution *a, struct rsp_piece *p);
void rsp_attribute_preempted(struct rsp_attribution *a, struct rsp_piece *p);

#endif
