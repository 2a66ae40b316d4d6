/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rolling window: records in, the newest budget's worth of them kept in few bytes each
 * (segment.h), oldest segment evicted whole. Some five times per window it begins a generation, in
 * which every stack and name comes anew; names are dropped with their generation, once nothing in
 * the window can refer to them. What outlives its segment is carried: who each live task is, and
 * for each blocked task the switch that blocked it with its names. So the window always begins with
 * a consistent state ("carry"), followed by segments in order of arrival. Records of one CPU are in
 * time order; across CPUs they are not.
 */
#ifndef RSP_LIB_WINDOW_H
#define RSP_LIB_WINDOW_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_window;

struct rsp_window_stats {
	__u64 bytes; /* held now: segments, carry and what it takes to fill and evict segments */
	__u64 budget_bytes;
	__u64 events;	 /* appended since _new, all kinds */
	__u64 lost_cnt;	 /* sum of LOST records since _new, and records refused by -ENOMEM */
	__u64 bad_cnt;	 /* records refused by rsp_record_check */
	__u64 oldest_ns; /* from here on every event is still held; 0 when empty */
	__u64 newest_ns;
	__u64 evicted_cnt;	 /* segments */
	__u64 carry_bytes;	 /* of bytes */
	__u64 segment_bytes;	 /* of bytes: the records of all segments, encoded */
	__u64 segment_events;	 /* in them, all kinds but names */
	__u64 segment_switches;	 /* of segment_events: SWITCH and WAKING, the scheduler's */
	__u64 carry_dropped_cnt; /* things the carry should have kept, but for lack of memory did
				    not */
	__u64 by_kind[RSP_EV_KIND_MAX];
};

/* budget_bytes bounds all that is held together; at least 1 MiB. Returns 0 or -errno. */
int rsp_window_new(size_t budget_bytes, struct rsp_window **ret);
struct rsp_window *rsp_window_free(struct rsp_window *win);

/*
 * Copies a record in. Returns 1 if this began a generation (the recorder then bumps the epoch, so
 * that every stack and object is sent anew), 0 if not, -EBADMSG for a bad record (counted),
 * -ENOMEM.
 */
int rsp_window_append(struct rsp_window *win, const void *rec, size_t len);

void rsp_window_get_stats(const struct rsp_window *win, struct rsp_window_stats *ret);

/* Threads that sleep since before the oldest segment lose their user stacks. */
void rsp_window_drop_user_stacks(struct rsp_window *win);

/*
 * From this time on rsp_window_foreach with the same since_ns hands out every event; what was
 * before it tells only as state. At most since_ns unless more was evicted; 0 when empty.
 */
__u64 rsp_window_oldest(const struct rsp_window *win, __u64 since_ns);

/*
 * Calls cb for each chunk of concatenated records: the state at rsp_window_oldest, then all events
 * since, in order of arrival. Segments that ended before since_ns are treated as if they had been
 * evicted. Stops at a negative return of cb and returns it; -ENOMEM.
 */
typedef int (*rsp_window_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_window_foreach(const struct rsp_window *win, __u64 since_ns, rsp_window_chunk_fn cb,
		       void *userdata);

#endif
