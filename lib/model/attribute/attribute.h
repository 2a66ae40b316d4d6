/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the time of one thread into leaves of the chains. The waker's time during a wait explains
 * the wait. Without the mode of paths.h, every nanosecond ends in exactly one leaf.
 */
#ifndef RSP_LIB_ATTRIBUTE_H
#define RSP_LIB_ATTRIBUTE_H

#include "lib/model/attribute/chains.h"
#include "lib/model/attribute/clock.h"
#include "lib/model/model.h"
#include "lib/model/names.h"
#include "lib/model/waits/awaited.h"
#include "lib/model/waits/idle.h"
#include "lib/model/waits/places.h"
#include "lib/model/waits/polls.h"

/*
 * The maximum length of a chain. One lock may pass through thousands of threads, and the cost of
 * such chains grows with the square of their length.
 */
#define RSP_ATTRIBUTE_DEPTH_MAX 128

struct rsp_attribution;
struct rsp_estimate;
struct rsp_paths;
struct rsp_piece;
struct rsp_used;

/*
 * The range of time of the records that an explanation relies on. It may be longer than the
 * explained span.
 */
struct rsp_reach {
	__u64 from_ns, to_ns;
	__u64 named_ns; /* the time of the oldest record that names a thread */
};

/*
 * Decides which wakers the attribution follows. rsp_attribute_chains follows every waker. In the
 * other mode (paths.h), a waker that worked for something else has its own path.
 */
struct rsp_attribution_mode {
	/*
	 * true: idle time of the process's threads counts as idle in every hop of a chain; false:
	 * only in the first hop
	 */
	bool idles_deep;
	/*
	 * Returns whether to attribute the time in which the root (the thread that is explained) is
	 * idle, or waits for other paths.
	 */
	bool (*idles)(const struct rsp_attribution *a);
	/*
	 * Puts a span on the current path. Returns false if the span is on another path; the
	 * current path then waits for the other path, for ns nanoseconds.
	 */
	bool (*place)(struct rsp_attribution *a, __u32 thread, size_t span, __u64 ns);
	/* Returns whether the thread cause is on the current path. */
	bool (*fits)(struct rsp_attribution *a, const struct rsp_piece *piece, __u32 cause);
	/* Takes a leaf. Returns 0 or -ENOMEM. */
	int (*add)(struct rsp_attribution *a, const struct rsp_piece *piece, enum rsp_category cat,
		   __u32 node);
};

extern const struct rsp_attribution_mode rsp_attribute_chains;

struct rsp_attribution {
	/* borrowed, like all pointers to structures of other headers */
	const struct rsp_model *model;
	const struct rsp_polls *polls;
	const struct rsp_estimate *estimate;
	struct rsp_names *names;
	/*
	 * For each blocked span of any thread, the time for which the threads of the process of
	 * interest waited in it, in sum; NULL: not wanted.
	 */
	__u64 *waited_ns;
	struct rsp_clock *clock; /* gets all pieces of time, with their nodes; NULL: not wanted */
	__u32 root;		 /* for clock: the thread that rsp_attribute() explains */
	/*
	 * awaited: the times at which other threads waited for threads of the process; NULL: the
	 * explanation is not about one process with several active threads. never_idle: the index
	 * of a thread whose sleeps do not count as idle, except waits for events (RSP_REST_EVENT).
	 */
	const struct rsp_awaited *awaited;
	__u32 never_idle;
	/*
	 * the pending requests and calls of the process; NULL: the explanation is not about one
	 * whole process
	 */
	const struct rsp_idle *idle;
	/* sum of the idle times in which no request or call of the process was pending */
	__u64 idle_ns;
	const struct rsp_places *places;	 /* NULL: stacks are not used */
	const struct rsp_attribution_mode *mode; /* initially rsp_attribute_chains */
	struct rsp_paths *paths;		 /* only in the mode of paths.h */
	struct rsp_chains chains;
	struct rsp_reach *reach; /* grows; NULL: not wanted */
	struct rsp_used *used;	 /* used.h; NULL: not wanted */
	__u64 cat_ns[RSP_CAT_MAX];
	struct rsp_attribution_part {
		__u64 cat_ns[RSP_CAT_MAX];
	} * parts;	  /* for each thread of the model, the time of its leaves */
	__u64 budget_cnt; /* number of pieces of time that waits may still be split into */
	/* number of turns on CPUs that waits for a CPU may still be split into */
	__u64 turn_cnt;
	bool *on_path; /* [thread] */
	/*
	 * Where the last search ended, and the next one begins: for each thread, the index of a
	 * span; for each CPU, the index of a turn.
	 */
	size_t *span_of, *turn_of;
	struct rsp_attribution_frame *stack;
	size_t depth;
};

/* Returns 0 or -ENOMEM. Explanations add names to *names. */
int rsp_attribution_new(const struct rsp_model *model, struct rsp_names *names,
			const struct rsp_polls *polls, const struct rsp_estimate *estimate,
			struct rsp_attribution **ret);
struct rsp_attribution *rsp_attribution_free(struct rsp_attribution *a);

/* Returns the index of the thread's span that contains ts_ns. The thread must have spans. */
size_t rsp_attribution_span_at(struct rsp_attribution *a, __u32 thread, __u64 ts_ns);

/*
 * Explains [from_ns, to_ns) of a thread. root_cnt: the number of remaining calls of this function,
 * including this call. These calls share the remaining budget. Returns 0 or -ENOMEM.
 */
int rsp_attribute(struct rsp_attribution *a, __u32 thread, __u64 from_ns, __u64 to_ns,
		  size_t root_cnt);

#endif
