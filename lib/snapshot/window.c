/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See window.h. A list of segments of equal capacity, appended to at its tail and evicted at its
 * head into the carry. Never looks into the records it holds before it evicts them.
 */
#include "window.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "carry.h"
#include "lib/base/cleanup.h"
#include "decode.h"

/*
 * A segment is a 64th of the budget: what is lost of the oldest history at an eviction stays small,
 * and so does what each new segment costs, namely that all stacks and names are sent anew. At least
 * 64 KiB, which holds the largest record and a few hundred events; at most 4 MiB, which takes some
 * milliseconds to evict.
 */
#define SEGMENTS_PER_BUDGET 64
#define SEGMENT_BYTES_MIN   ((size_t)64 << 10)
#define SEGMENT_BYTES_MAX   ((size_t)4 << 20)
#define BUDGET_BYTES_MIN    ((size_t)1 << 20)

_Static_assert(SEGMENT_BYTES_MIN > UINT16_MAX, "the largest record fits a segment");

struct segment {
	TAILQ_ENTRY(segment) link;
	size_t len;
	__u64 oldest_ns, newest_ns; /* of its events */
	char records[];
};

struct rsp_window {
	TAILQ_HEAD(segment_list, segment) segments; /* oldest first */
	size_t segment_cnt;
	size_t segment_bytes; /* capacity of each */
	struct rsp_carry *carry;
	__u64 evicted_ns;	       /* of the newest event ever evicted */
	struct rsp_window_stats stats; /* those that are counted, not computed */
};

static void free_window(struct rsp_window **win)
{
	rsp_window_free(*win);
}

static void free_carry(struct rsp_carry **carry)
{
	rsp_carry_free(*carry);
}

static size_t clamp(size_t value, size_t min, size_t max)
{
	return value < min ? min : value > max ? max : value;
}

int rsp_window_new(size_t budget_bytes, struct rsp_window **ret)
{
	_cleanup_(free_window) struct rsp_window *win = NULL;
	int r;

	if (budget_bytes < BUDGET_BYTES_MIN)
		return -EINVAL;
	win = calloc(1, sizeof(*win));
	if (!win)
		return -ENOMEM;
	TAILQ_INIT(&win->segments);
	win->segment_bytes = clamp(budget_bytes / SEGMENTS_PER_BUDGET, SEGMENT_BYTES_MIN,
				   SEGMENT_BYTES_MAX);
	win->stats.budget_bytes = budget_bytes;
	r = rsp_carry_new(&win->carry);
	if (r < 0)
		return r;
	*ret = rsp_take_ptr(win);
	return 0;
}

struct rsp_window *rsp_window_free(struct rsp_window *win)
{
	if (!win)
		return NULL;
	while (!TAILQ_EMPTY(&win->segments)) {
		struct segment *seg = TAILQ_FIRST(&win->segments);

		TAILQ_REMOVE(&win->segments, seg, link);
		free(seg);
	}
	rsp_carry_free(win->carry);
	free(win);
	return NULL;
}

/* --- segments ------------------------------------------------------------------------------- */

static size_t allocated_bytes(const struct rsp_window *win)
{
	return win->segment_cnt * (sizeof(struct segment) + win->segment_bytes) +
	       rsp_carry_bytes(win->carry);
}

/* From seg to the newest segment: across CPUs the order of time is not that of arrival. */
static __u64 oldest_since(const struct segment *seg)
{
	__u64 oldest_ns = UINT64_MAX;

	for (; seg; seg = TAILQ_NEXT(seg, link))
		if (seg->oldest_ns < oldest_ns)
			oldest_ns = seg->oldest_ns;
	return oldest_ns;
}

/* Folds the oldest segment into the carry and hands its memory over. */
static struct segment *evict(struct rsp_window *win)
{
	struct segment *seg = TAILQ_FIRST(&win->segments);

	rsp_carry_fold(win->carry, seg->records, seg->len);
	rsp_carry_settle(win->carry, oldest_since(TAILQ_NEXT(seg, link)));
	rsp_carry_trim(win->carry, win->stats.budget_bytes / 2);
	TAILQ_REMOVE(&win->segments, seg, link);
	win->segment_cnt--;
	if (seg->newest_ns > win->evicted_ns)
		win->evicted_ns = seg->newest_ns;
	win->stats.evicted_cnt++;
	return seg;
}

/* A fresh segment at the tail, in the memory of an evicted one if there is. */
static struct segment *begin_segment(struct rsp_window *win)
{
	size_t need = sizeof(struct segment) + win->segment_bytes;
	struct segment *seg = NULL;

	while (!TAILQ_EMPTY(&win->segments) &&
	       allocated_bytes(win) + need > win->stats.budget_bytes) {
		free(seg);
		seg = evict(win);
	}
	if (!seg)
		seg = malloc(need);
	if (!seg && !TAILQ_EMPTY(&win->segments)) /* no memory to be had: a shorter window then */
		seg = evict(win);
	if (!seg)
		return NULL;
	seg->len = 0;
	seg->oldest_ns = UINT64_MAX;
	seg->newest_ns = 0;
	TAILQ_INSERT_TAIL(&win->segments, seg, link);
	win->segment_cnt++;
	return seg;
}

/* --- records in ----------------------------------------------------------------------------- */

/* Names have no time of their own. */
static bool is_timed(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind != RSP_EV_STACK && hdr->kind != RSP_EV_OBJECT &&
	       hdr->kind != RSP_EV_SOCKET;
}

static void count(struct rsp_window_stats *stats, const struct rsp_ev_hdr *hdr)
{
	stats->events++;
	if (hdr->kind < RSP_EV_KIND_MAX)
		stats->by_kind[hdr->kind]++;
	if (hdr->kind == RSP_EV_LOST)
		stats->lost_cnt += ((const struct rsp_ev_lost *)hdr)->lost_cnt;
}

int rsp_window_append(struct rsp_window *win, const void *rec, size_t len)
{
	struct segment *seg = TAILQ_LAST(&win->segments, segment_list);
	const struct rsp_ev_hdr *hdr = rec;
	bool began = false;
	int r;

	r = rsp_record_check(rec, len);
	if (r < 0) {
		win->stats.bad_cnt++;
		return r;
	}
	if (!seg || seg->len + hdr->size > win->segment_bytes) {
		seg = begin_segment(win);
		if (!seg)
			return -ENOMEM;
		began = true;
	}
	memcpy(seg->records + seg->len, rec, hdr->size);
	seg->len += hdr->size;
	if (is_timed(hdr)) {
		if (hdr->ts_ns < seg->oldest_ns)
			seg->oldest_ns = hdr->ts_ns;
		if (hdr->ts_ns > seg->newest_ns)
			seg->newest_ns = hdr->ts_ns;
	}
	count(&win->stats, hdr);
	return began;
}

void rsp_window_get_stats(const struct rsp_window *win, struct rsp_window_stats *ret)
{
	const struct segment *seg;

	*ret = win->stats;
	ret->carry_bytes = rsp_carry_bytes(win->carry);
	ret->carry_dropped_cnt = rsp_carry_dropped_cnt(win->carry);
	ret->bytes = ret->carry_bytes;
	ret->oldest_ns = rsp_window_oldest(win, 0);
	TAILQ_FOREACH(seg, &win->segments, link)
	{
		ret->bytes += seg->len;
		if (seg->newest_ns > ret->newest_ns)
			ret->newest_ns = seg->newest_ns;
	}
}

/* --- records out ---------------------------------------------------------------------------- */

/*
 * Across CPUs the order of arrival is not that of time, so a border between segments is no moment
 * in time. To begin at one, records older than it are taken out of the segments that begin before
 * it and go into the state.
 */
__u64 rsp_window_oldest(const struct rsp_window *win, __u64 since_ns)
{
	__u64 before_ns = win->evicted_ns, oldest_ns;
	const struct segment *seg;

	TAILQ_FOREACH(seg, &win->segments, link)
	if (seg->newest_ns < since_ns && seg->newest_ns > before_ns)
		before_ns = seg->newest_ns;
	if (before_ns)
		return before_ns + 1;
	oldest_ns = oldest_since(TAILQ_FIRST(&win->segments));
	return oldest_ns == UINT64_MAX ? 0 : oldest_ns;
}

/* Copies into buf what seg has from before start_ns, or else all the rest. Returns its length. */
static size_t split(const struct segment *seg, __u64 start_ns, bool before, char *buf)
{
	const struct rsp_ev_hdr *hdr;
	size_t len = 0;

	rsp_record_foreach (hdr, seg->records, seg->len) {
		if ((is_timed(hdr) && hdr->ts_ns < start_ns) != before)
			continue;
		memcpy(buf + len, hdr, hdr->size);
		len += hdr->size;
	}
	return len;
}

/* The state at start_ns, from the carry and what the segments have from before. */
static int build_state(const struct rsp_window *win, __u64 start_ns, char *buf,
		       struct rsp_carry **ret)
{
	_cleanup_(free_carry) struct rsp_carry *carry = NULL;
	const struct segment *seg;
	int r;

	r = rsp_carry_copy(win->carry, &carry);
	if (r < 0)
		return r;
	TAILQ_FOREACH(seg, &win->segments, link)
	{
		if (seg->newest_ns < start_ns)
			rsp_carry_fold(carry, seg->records, seg->len);
		else if (seg->oldest_ns < start_ns)
			rsp_carry_fold(carry, buf, split(seg, start_ns, true, buf));
	}
	rsp_carry_settle(carry, start_ns);
	*ret = rsp_take_ptr(carry);
	return 0;
}

static int hand_out(const struct segment *seg, __u64 start_ns, char *buf, rsp_window_chunk_fn cb,
		    void *userdata)
{
	if (seg->newest_ns < start_ns)
		return 0;
	if (seg->oldest_ns < start_ns)
		return cb(buf, split(seg, start_ns, false, buf), userdata);
	return cb(seg->records, seg->len, userdata);
}

int rsp_window_foreach(const struct rsp_window *win, __u64 since_ns, rsp_window_chunk_fn cb,
		       void *userdata)
{
	_cleanup_(free_carry) struct rsp_carry *carry = NULL;
	_cleanup_free_ char *buf = malloc(win->segment_bytes);
	__u64 start_ns = rsp_window_oldest(win, since_ns);
	const struct segment *seg;
	int r;

	if (!buf)
		return -ENOMEM;
	r = build_state(win, start_ns, buf, &carry);
	if (r < 0)
		return r;
	r = rsp_carry_foreach(carry, cb, userdata);
	for (seg = TAILQ_FIRST(&win->segments); r >= 0 && seg; seg = TAILQ_NEXT(seg, link))
		r = hand_out(seg, start_ns, buf, cb, userdata);
	return r < 0 ? r : 0;
}
