/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the files of attribution share. attribute.c walks the path, and each other file
 * explains one kind of span. A function gets a piece of time. It explains the whole piece, or moves
 * the end of the piece back to the end of the explained part.
 */
#ifndef RSP_LIB_ATTRIBUTE_PARTS_H
#define RSP_LIB_ATTRIBUTE_PARTS_H

#include "lib/model/attribute/attribute.h"

/* A part of one span. span is NULL for the time before the first and after the last span. */
struct rsp_piece {
	__u64 from_ns, to_ns;
	__u32 thread;
	__u32 node; /* the hop that waits for this thread, or RSP_NO_NODE */
	__u32 work; /* the thread's work item, or RSP_NO_WORK */
	const struct rsp_span *span;
	/* The end of the wait that the piece is part of. 0: the wait ends with the piece. */
	__u64 until_ns;
	unsigned int flags; /* enum rsp_hop_flags */
	/*
	 * if the piece is part of a run: 1 + the number of the sample whose stack it gets; 0: no
	 * sample
	 */
	__u32 sample;
	enum rsp_why why;
	const struct rsp_ev_delay *reclaim; /* the reclaim that the piece is part of, or NULL */
};

/* The fields of a hop except its thread. They are numbers of struct rsp_names. */
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
/* Continues the path: during this piece, the piece's thread waited for the thread cause. */
void rsp_attribute_follow(struct rsp_attribution *a, const struct rsp_piece *p, __u32 cause,
			  struct rsp_label label);
/*
 * Returns false if the thread is already on the path, the path is too long, or the budget is used
 * up.
 */
bool rsp_attribute_may_follow(const struct rsp_attribution *a, __u32 thread);
/* Whether all threads of the current path, from the first to the last, belong to the process. */
bool rsp_attribution_is_among_own(const struct rsp_attribution *a, __u64 ts_ns);
/* The system call, object and stack with which the thread left the CPU; out may be NULL. */
struct rsp_label rsp_attribute_label(struct rsp_attribution *a, const struct rsp_ev_switch *out);

/* --- attribute-idle.c: each returns false if the thread was not idle -------------------------- */

/*
 * No request or call of the process is pending, and the thread waits for an event, a timer or a
 * job. Ends the piece where this changes.
 */
bool rsp_attribute_idle(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * A client's request ended the wait. Ends the piece where another request becomes pending, or is
 * answered.
 */
bool rsp_attribute_idle_arrival(struct rsp_attribution *a, struct rsp_piece *p,
				const struct rsp_arrival *arrival);
/* An event loop still waits for the answer to a call. Ends the piece where this changes. */
bool rsp_attribute_open_call(struct rsp_attribution *a, struct rsp_piece *p);
/* The thread sleeps until a timer expires, and no other thread waits for it. */
bool rsp_attribute_idle_until_timer(struct rsp_attribution *a, const struct rsp_piece *p,
				    const struct rsp_poll *poll, struct rsp_label label);
/* The thread belongs to a pool, has nothing to do, and no other thread waits for it. */
bool rsp_attribute_idle_in_pool(struct rsp_attribution *a, const struct rsp_piece *p);

/* --- attribute-run.c, -wait.c, -disk.c, -cpu.c ------------------------------------------------ */

void rsp_attribute_run(struct rsp_attribution *a, const struct rsp_piece *p);
/* Explains a sleep by the event that ended it. */
void rsp_attribute_blocked(struct rsp_attribution *a, struct rsp_piece *p);
/*
 * The first function explains a piece of a polling loop. The second one explains a piece in which
 * the thread of a request waits for an answer. Both return false if the piece is something else.
 */
bool rsp_attribute_polled(struct rsp_attribution *a, struct rsp_piece *p);
bool rsp_attribute_request(struct rsp_attribution *a, struct rsp_piece *p);
void rsp_attribute_disk(struct rsp_attribution *a, struct rsp_piece *p);
/* Returns false if the kernel did not slow the thread down. */
bool rsp_attribute_slowed(struct rsp_attribution *a, const struct rsp_piece *p);
void rsp_attribute_runnable(struct rsp_attribution *a, struct rsp_piece *p);
void rsp_attribute_preempted(struct rsp_attribution *a, struct rsp_piece *p);

#endif
