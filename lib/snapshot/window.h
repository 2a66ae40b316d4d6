/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window keeps the newest records within a memory budget, in a few bytes each (segment.h). It
 * evicts the oldest records, a whole segment at a time.
 *
 * About five times per window, it begins a generation, in which the recorder sends every stack and
 * name again. The names of a generation are dropped as soon as no event in the window can refer to
 * them.
 *
 * When a segment is evicted, its state is kept in the carry (carry.h). So the window always begins
 * with a consistent state, which is followed by segments in order of arrival. Records of one CPU
 * are in order of time; records of different CPUs are not.
 */
#ifndef RSP_LIB_WINDOW_H
#define RSP_LIB_WINDOW_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_window;

struct rsp_window_stats {
	/* all memory in use: segments, the carry, and memory for filling and evicting segments */
	__u64 bytes;
	__u64 budget_bytes;
	__u64 events; /* number of records of all kinds added since rsp_window_new() */
	/*
	 * since rsp_window_new(): number of records that LOST records report, plus records refused
	 * with -ENOMEM
	 */
	__u64 lost_cnt;
	__u64 bad_cnt; /* number of records that rsp_record_check() refused */
	/* all events since this time are still in the window; 0: the window is empty */
	__u64 oldest_ns;
	__u64 newest_ns;
	__u64 evicted_cnt;	/* number of evicted segments */
	__u64 carry_bytes;	/* part of bytes */
	__u64 segment_bytes;	/* of the encoded records of all segments */
	__u64 segment_events;	/* number of records in the segments, without names */
	__u64 segment_switches; /* SWITCH and WAKING records in the segments */
	/*
	 * number of tasks, names and user stacks that the window dropped from the carry, or could
	 * not add to it
	 */
	__u64 carry_dropped_cnt;
	__u64 by_kind[RSP_EV_KIND_MAX];
};

/*
 * Makes an empty window. budget_bytes: maximum size of all memory of the window, at least 1 MiB.
 * Returns 0 or -errno.
 */
int rsp_window_new(size_t budget_bytes, struct rsp_window **ret);
struct rsp_window *rsp_window_free(struct rsp_window *win);

/*
 * Copies a record into the window. Returns 1 if the record is the first of a generation: the
 * recorder must then begin an epoch, so that every stack and object is sent again. Otherwise
 * returns 0; -EBADMSG for a bad record; -ENOMEM.
 */
int rsp_window_append(struct rsp_window *win, const void *rec, size_t len);

void rsp_window_get_stats(const struct rsp_window *win, struct rsp_window_stats *ret);

/* Removes the user stacks of threads whose sleep began before the oldest segment. */
void rsp_window_drop_user_stacks(struct rsp_window *win);

/*
 * Returns the time since which rsp_window_foreach() with the same since_ns passes every event. The
 * time is at most since_ns, unless the window does not reach back so far; 0: the window is empty.
 */
__u64 rsp_window_oldest(const struct rsp_window *win, __u64 since_ns);

/*
 * Calls cb for each chunk of concatenated records: the state at rsp_window_oldest(), then all
 * events since then, in order of arrival. If cb returns a negative value, stops and returns this
 * value. Otherwise returns 0 or -ENOMEM.
 */
typedef int (*rsp_window_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_window_foreach(const struct rsp_window *win, __u64 since_ns, rsp_window_chunk_fn cb,
		       void *userdata);

#endif
