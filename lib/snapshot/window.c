/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See window.h. A list of segments of equal capacity, appended to at its tail and evicted at its
 * head into the carry. Reads what it holds only to evict it or to hand it out, chunk by chunk.
 */
#include "window.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "carry-names.h"
#include "carry.h"
#include "lib/base/cleanup.h"
#include "decode.h"
#include "segment.h"

/*
 * A segment is a 64th of the budget: what is lost of the oldest history at an eviction stays small,
 * and so does what each new segment costs, namely that all stacks and names are sent anew and
 * nothing can be predicted at first. At least what holds the largest record; at most 512 KiB, which
 * hold some 100 000 events and take 5 to 15 ms to evict. Twice as much would save 1 or 2 %.
 */
#define SEGMENTS_PER_BUDGET 64
#define SEGMENT_BYTES_MAX   ((size_t)512 << 10)
#define BUDGET_BYTES_MIN    ((size_t)1 << 20)

/* Read at once: for the carry, so few that they stay in cache; for others, who compress them. */
#define FOLD_CHUNK_BYTES RSP_SEGMENT_READ_BYTES_MIN
#define OUT_CHUNK_BYTES	 ((size_t)1 << 20)

struct segment {
	TAILQ_ENTRY(segment) link;
	struct rsp_segment *records;
	__u64 event_cnt, switch_cnt; /* as in struct rsp_window_stats */
	size_t name_cnt, name_bytes; /* STACK, OBJECT and SOCKET records, decoded */
	__u64 oldest_ns, newest_ns;  /* of its events */
};

/* What it takes to read a segment. */
struct reader {
	struct rsp_coder *coder;
	char *chunk;
	size_t chunk_bytes;
};

struct rsp_window {
	TAILQ_HEAD(segment_list, segment) segments; /* oldest first */
	size_t segment_cnt;
	size_t segment_bytes;  /* capacity of each */
	size_t name_bytes_max; /* of the names in each, decoded */
	struct segment *open;  /* the last one, if it is being filled: then the coder is in use */
	struct reader reader;  /* between two open ones it evicts */
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

static struct segment *segment_free(struct segment *seg)
{
	if (seg)
		rsp_segment_free(seg->records);
	free(seg);
	return NULL;
}

static struct segment *segment_new(size_t cap_bytes)
{
	struct segment *seg = calloc(1, sizeof(*seg));

	if (seg && rsp_segment_new(cap_bytes, &seg->records) < 0)
		seg = segment_free(seg);
	return seg;
}

static void segment_clear(struct segment *seg)
{
	struct rsp_segment *records = seg->records;

	rsp_segment_clear(records);
	*seg = (struct segment){.records = records, .oldest_ns = UINT64_MAX};
}

static void reader_done(struct reader *rd)
{
	rsp_coder_free(rd->coder);
	free(rd->chunk);
}

static int reader_init(struct reader *rd, size_t chunk_bytes)
{
	*rd = (struct reader){.chunk = malloc(chunk_bytes), .chunk_bytes = chunk_bytes};
	if (rd->chunk && rsp_coder_new(&rd->coder) == 0)
		return 0;
	reader_done(rd);
	*rd = (struct reader){0};
	return -ENOMEM;
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
	win->segment_bytes = clamp(budget_bytes / SEGMENTS_PER_BUDGET, RSP_SEGMENT_BYTES_MIN,
				   SEGMENT_BYTES_MAX);
	win->name_bytes_max = clamp(budget_bytes / 8 / RSP_NAMES_REMNANTS, 0, win->segment_bytes);
	win->stats.budget_bytes = budget_bytes;
	r = reader_init(&win->reader, FOLD_CHUNK_BYTES);
	if (r < 0)
		return r;
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
		segment_free(seg);
	}
	reader_done(&win->reader);
	rsp_carry_free(win->carry);
	free(win);
	return NULL;
}

/* --- segments, read ------------------------------------------------------------------------- */

static bool is_name(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind == RSP_EV_STACK || hdr->kind == RSP_EV_OBJECT ||
	       hdr->kind == RSP_EV_SOCKET;
}

/* Leaves the events before start_ns, or else all the rest. Returns its length. */
static size_t keep(char *records, size_t len, __u64 start_ns, bool before)
{
	size_t kept = 0, size;

	for (size_t off = 0; off < len; off += size) {
		const struct rsp_ev_hdr *hdr = (const void *)(records + off);

		size = hdr->size;
		if ((!is_name(hdr) && hdr->ts_ns < start_ns) != before)
			continue;
		memmove(records + kept, hdr, size);
		kept += size;
	}
	return kept;
}

/* Copies the names among records to buf. Returns their length. */
static size_t copy_names(const char *records, size_t len, char *buf)
{
	const struct rsp_ev_hdr *hdr;
	size_t copied = 0;

	rsp_record_foreach (hdr, records, len) {
		if (!is_name(hdr))
			continue;
		memcpy(buf + copied, hdr, hdr->size);
		copied += hdr->size;
	}
	return copied;
}

static size_t read_chunk(const struct segment *seg, struct reader *rd, size_t *pos)
{
	if (*pos == 0)
		rsp_coder_reset(rd->coder);
	return rsp_segment_read(seg->records, rd->coder, pos, rd->chunk, rd->chunk_bytes);
}

/*
 * Folds what is before start_ns into the carry; the names if that is all of it. They come in one
 * piece, as the carry keeps those of whole segments. -ENOMEM: the names are missing.
 */
static int fold(const struct segment *seg, __u64 start_ns, struct reader *rd,
		struct rsp_carry *carry)
{
	bool whole = seg->newest_ns < start_ns;
	_cleanup_free_ char *names = whole ? malloc(seg->name_bytes) : NULL;
	size_t pos = 0, len, names_len = 0;

	while ((len = read_chunk(seg, rd, &pos)) > 0) {
		if (names)
			names_len += copy_names(rd->chunk, len, names + names_len);
		rsp_carry_fold(carry, rd->chunk, keep(rd->chunk, len, start_ns, true));
	}
	rsp_carry_fold(carry, names, names_len);
	return whole && names_len < seg->name_bytes ? -ENOMEM : 0;
}

/* --- segments, begun and evicted ------------------------------------------------------------ */

/* Beside segments and carry. */
static size_t fixed_bytes(const struct rsp_window *win)
{
	return sizeof(*win) + rsp_coder_bytes() + win->reader.chunk_bytes;
}

static size_t allocated_bytes(const struct rsp_window *win)
{
	return fixed_bytes(win) + win->segment_cnt * (sizeof(struct segment) + win->segment_bytes) +
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

	if (fold(seg, UINT64_MAX, &win->reader, win->carry) < 0)
		win->stats.carry_dropped_cnt += seg->name_cnt;
	rsp_carry_settle(win->carry, oldest_since(TAILQ_NEXT(seg, link)));
	rsp_carry_trim(win->carry, (win->stats.budget_bytes - fixed_bytes(win)) / 2);
	TAILQ_REMOVE(&win->segments, seg, link);
	win->segment_cnt--;
	if (seg->newest_ns > win->evicted_ns)
		win->evicted_ns = seg->newest_ns;
	win->stats.evicted_cnt++;
	return seg;
}

/* Opens a fresh segment at the tail, in the memory of an evicted one if there is. */
static int begin_segment(struct rsp_window *win)
{
	size_t need = sizeof(struct segment) + win->segment_bytes;
	struct segment *seg = NULL;

	win->open = NULL;
	while (!TAILQ_EMPTY(&win->segments) &&
	       allocated_bytes(win) + need > win->stats.budget_bytes) {
		segment_free(seg);
		seg = evict(win);
	}
	if (!seg)
		seg = segment_new(win->segment_bytes);
	if (!seg && !TAILQ_EMPTY(&win->segments)) /* no memory to be had: a shorter window then */
		seg = evict(win);
	if (!seg)
		return -ENOMEM;
	segment_clear(seg);
	rsp_coder_reset(win->reader.coder);
	TAILQ_INSERT_TAIL(&win->segments, seg, link);
	win->segment_cnt++;
	win->open = seg;
	return 0;
}

/* --- records in ----------------------------------------------------------------------------- */

static void count(struct rsp_window_stats *stats, const struct rsp_ev_hdr *hdr)
{
	stats->events++;
	if (hdr->kind < RSP_EV_KIND_MAX)
		stats->by_kind[hdr->kind]++;
	if (hdr->kind == RSP_EV_LOST)
		stats->lost_cnt += ((const struct rsp_ev_lost *)hdr)->lost_cnt;
}

static void count_in_segment(struct segment *seg, const struct rsp_ev_hdr *hdr)
{
	if (is_name(hdr)) {
		seg->name_cnt++;
		seg->name_bytes += hdr->size;
		return;
	}
	seg->event_cnt++;
	seg->switch_cnt += hdr->kind == RSP_EV_SWITCH || hdr->kind == RSP_EV_WAKING;
	if (hdr->ts_ns < seg->oldest_ns)
		seg->oldest_ns = hdr->ts_ns;
	if (hdr->ts_ns > seg->newest_ns)
		seg->newest_ns = hdr->ts_ns;
}

/*
 * The carry keeps the names of the segments that were evicted last, as they were: they shall not
 * take more than an eighth of the budget there.
 */
static bool has_enough_names(const struct rsp_window *win, const struct segment *seg,
			     const struct rsp_ev_hdr *next)
{
	return is_name(next) && seg->name_cnt > 0 &&
	       seg->name_bytes + next->size > win->name_bytes_max;
}

/* -ENOSPC: the open segment is full, or none is open. */
static int add(struct rsp_window *win, const struct rsp_ev_hdr *hdr)
{
	struct segment *seg = win->open;
	int r;

	if (!seg || has_enough_names(win, seg, hdr))
		return -ENOSPC;
	r = rsp_segment_append(seg->records, win->reader.coder, hdr);
	if (r == 0)
		count_in_segment(seg, hdr);
	return r;
}

int rsp_window_append(struct rsp_window *win, const void *rec, size_t len)
{
	bool began = false;
	int r;

	r = rsp_record_check(rec, len);
	if (r < 0) {
		win->stats.bad_cnt++;
		return r;
	}
	r = add(win, rec);
	if (r == -ENOSPC) {
		r = begin_segment(win);
		if (r < 0)
			return r;
		began = true;
		r = add(win, rec);
	}
	if (r < 0)
		return r;
	count(&win->stats, rec);
	return began;
}

void rsp_window_drop_user_stacks(struct rsp_window *win)
{
	rsp_carry_drop_user_stacks(win->carry);
}

void rsp_window_get_stats(const struct rsp_window *win, struct rsp_window_stats *ret)
{
	const struct segment *seg;

	*ret = win->stats;
	ret->carry_bytes = rsp_carry_bytes(win->carry);
	ret->carry_dropped_cnt += rsp_carry_dropped_cnt(win->carry);
	ret->oldest_ns = rsp_window_oldest(win, 0);
	TAILQ_FOREACH(seg, &win->segments, link)
	{
		ret->segment_bytes += rsp_segment_bytes(seg->records);
		ret->segment_events += seg->event_cnt;
		ret->segment_switches += seg->switch_cnt;
		if (seg->newest_ns > ret->newest_ns)
			ret->newest_ns = seg->newest_ns;
	}
	ret->bytes = fixed_bytes(win) + ret->carry_bytes + ret->segment_bytes;
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

/* The state at start_ns, from the carry and what the segments have from before. */
static int build_state(const struct rsp_window *win, __u64 start_ns, struct reader *rd,
		       struct rsp_carry **ret)
{
	_cleanup_(free_carry) struct rsp_carry *carry = NULL;
	const struct segment *seg;
	int r;

	r = rsp_carry_copy(win->carry, &carry);
	TAILQ_FOREACH(seg, &win->segments, link)
	if (r == 0 && seg->oldest_ns < start_ns)
		r = fold(seg, start_ns, rd, carry);
	if (r < 0)
		return r;
	rsp_carry_settle(carry, start_ns);
	*ret = rsp_take_ptr(carry);
	return 0;
}

static int hand_out(const struct segment *seg, __u64 start_ns, struct reader *rd,
		    rsp_window_chunk_fn cb, void *userdata)
{
	size_t pos = 0, len;
	int r = 0;

	if (seg->newest_ns < start_ns)
		return 0;
	while (r >= 0 && (len = read_chunk(seg, rd, &pos)) > 0) {
		if (seg->oldest_ns < start_ns)
			len = keep(rd->chunk, len, start_ns, false);
		if (len > 0)
			r = cb(rd->chunk, len, userdata);
	}
	return r;
}

int rsp_window_foreach(const struct rsp_window *win, __u64 since_ns, rsp_window_chunk_fn cb,
		       void *userdata)
{
	_cleanup_(free_carry) struct rsp_carry *carry = NULL;
	_cleanup_(reader_done) struct reader rd = {0};
	__u64 start_ns = rsp_window_oldest(win, since_ns);
	const struct segment *seg;
	int r;

	r = reader_init(&rd, OUT_CHUNK_BYTES);
	if (r < 0)
		return r;
	r = build_state(win, start_ns, &rd, &carry);
	if (r < 0)
		return r;
	r = rsp_carry_foreach(carry, cb, userdata);
	for (seg = TAILQ_FIRST(&win->segments); r >= 0 && seg; seg = TAILQ_NEXT(seg, link))
		r = hand_out(seg, start_ns, &rd, cb, userdata);
	return r < 0 ? r : 0;
}
