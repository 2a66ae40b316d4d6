/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of one thread -> leaves of the chains. A wait is explained by what its waker did
 * meanwhile, the waker's waits by what their wakers did in the part that matters, and so on. Every
 * nanosecond ends in exactly one leaf.
 */
#ifndef RSP_LIB_ATTRIBUTE_H
#define RSP_LIB_ATTRIBUTE_H

#include "awaited.h"
#include "chains.h"
#include "clock.h"
#include "idle.h"
#include "model.h"
#include "names.h"
#include "places.h"
#include "polls.h"

/*
 * Nobody reads a chain this long, and one pipeline of so many programs is rare; but a convoy of
 * thousands of threads handing on one lock is not, and its chains cost the square of their length.
 */
#define RSP_ATTRIBUTE_DEPTH_MAX 128

struct rsp_estimate;
struct rsp_paths;
struct rsp_used;

/*
 * What the explanation relies on reaches beyond the span that was asked for: states that had begun
 * before, or ended after it, and the records that name the threads.
 */
struct rsp_reach {
	__u64 from_ns, to_ns; /* the oldest beginning, the newest end of a state */
	__u64 named_ns;	      /* the oldest name */
};

struct rsp_attribution {
	const struct rsp_model *model; /* borrowed, as all pointers here that have no comment */
	const struct rsp_polls *polls;
	const struct rsp_estimate *estimate;
	struct rsp_names *names;
	/* By the number of a blocked span, how long the process of interest waited in it: in those
	 * of its own threads, and in those of whoever these waited for meanwhile. A sum over the
	 * process's threads, as its total is. NULL: not asked for. */
	__u64 *waited_ns;
	struct rsp_clock
		*clock; /* takes all pieces of time, with their nodes; NULL: not asked for */
	__u32 root;	/* for clock: which thread rsp_attribute() is about */
	/* When threads of the process were waited for; NULL: it has one thread. never_idle: a
	 * thread whose sleeps never count as idle. */
	const struct rsp_awaited *awaited;
	__u32 never_idle;
	const struct rsp_idle *idle;	 /* NULL: parts of the process are explained */
	__u64 idle_ns;			 /* idle, and nothing of the process was pending */
	const struct rsp_places *places; /* NULL: they tell nothing */
	struct rsp_paths *paths;	 /* paths.h; NULL: whoever is waited for is followed */
	struct rsp_chains chains;
	struct rsp_reach *reach; /* grows; NULL: not asked for */
	struct rsp_used *used;	 /* used.h; NULL: not asked for */
	__u64 cat_ns[RSP_CAT_MAX];
	struct rsp_attribution_part {
		__u64 cat_ns[RSP_CAT_MAX];
	} * parts;		   /* one for each thread of the model: leaf time it accounts for */
	__u64 budget_cnt;	   /* pieces of time that waits may still be resolved into */
	__u64 turn_cnt;		   /* turns on CPUs that waits for one may still be told apart by */
	bool *on_path;		   /* one for each thread: is in stack */
	size_t *span_of, *turn_of; /* of each thread, of each CPU: where it was looked at last */
	struct rsp_attribution_frame *stack;
	size_t depth;
};

/* -ENOMEM. names grows with what is explained. */
int rsp_attribution_new(const struct rsp_model *model, struct rsp_names *names,
			const struct rsp_polls *polls, const struct rsp_estimate *estimate,
			struct rsp_attribution **ret);
struct rsp_attribution *rsp_attribution_free(struct rsp_attribution *a);

/* The thread's span that holds ts_ns; it has some. */
size_t rsp_attribution_span_at(struct rsp_attribution *a, __u32 thread, __u64 ts_ns);

/*
 * Explains [from_ns, to_ns) of a thread. root_cnt: how many calls are still to come, this one
 * included; what is left of the budget is shared among them. 0 or -ENOMEM.
 */
int rsp_attribute(struct rsp_attribution *a, __u32 thread, __u64 from_ns, __u64 to_ns,
		  size_t root_cnt);

#endif
