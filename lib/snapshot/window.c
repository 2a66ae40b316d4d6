/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds records to a window (window.h, window-parts.h): fills generations at the end of the list,
 * and evicts segments at its beginning. window-read.c reads the records.
 */
#include "lib/snapshot/window.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/window-parts.h"

/*
 * Number of segments in a window, and limits on the size of a segment. While a segment is evicted,
 * the recorder waits. In a window of 64 MiB, a segment has 128 KiB: it contains some 30,000 events
 * and takes 1 to 3 ms to evict.
 */
#define SEGMENTS_PER_BUDGET 512
#define SEGMENT_BYTES_MIN   ((size_t)96 << 10)
#define SEGMENT_BYTES_MAX   ((size_t)512 << 10)
/* room for malloc()'s header in the last page, so that a segment takes no further page */
#define SEGMENT_OVERHEAD    64
#define BUDGET_BYTES_MIN    ((size_t)1 << 20)

/*
 * The BPF programs send all names again when a generation begins. With more generations, the names
 * are sent more often. With fewer generations, the window keeps names longer than events refer to
 * them.
 */
#define GENERATIONS_PER_BUDGET 5

/* A window with a smaller budget has smaller coders. */
#define BUDGET_BYTES_OF_FULL_CODER ((size_t)128 << 20)

/*
 * The carry takes at most 1 / CARRY_SHARE of the budget without the fixed memory (fixed_bytes()).
 */
#define CARRY_SHARE 4

/* small enough to stay in the CPU's cache */
#define FOLD_CHUNK_BYTES RSP_SEGMENT_READ_BYTES_MIN

/* --- parts ---------------------------------------------------------------------------------- */

static void free_window(struct rsp_window **win)
{
	rsp_window_free(*win);
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

static void segments_free(struct segment_list *list)
{
	struct segment *seg;

	while ((seg = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, seg, link);
		segment_free(seg);
	}
}

static void generation_free(struct generation *gen)
{
	segments_free(&gen->segments);
	segments_free(&gen->names);
	free(gen);
}

void rsp_reader_done(struct reader *rd)
{
	rsp_coder_free(rd->coder);
	free(rd->chunk);
}

int rsp_reader_init(struct reader *rd, size_t chunk_bytes, unsigned int coder_halvings)
{
	*rd = (struct reader){.chunk = malloc(chunk_bytes), .chunk_bytes = chunk_bytes};
	if (rd->chunk && rsp_coder_new(coder_halvings, &rd->coder) == 0)
		return 0;
	rsp_reader_done(rd);
	*rd = (struct reader){0};
	return -ENOMEM;
}

size_t rsp_reader_next(struct reader *rd, const struct segment *seg, size_t *pos)
{
	return rsp_segment_read(seg->records, rd->coder, pos, rd->chunk, rd->chunk_bytes);
}

bool rsp_window_is_name(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind == RSP_EV_STACK || hdr->kind == RSP_EV_OBJECT ||
	       hdr->kind == RSP_EV_SOCKET;
}

/* --- memory --------------------------------------------------------------------------------- */

static size_t clamp(size_t value, size_t min, size_t max)
{
	return value < min ? min : value > max ? max : value;
}

/* Returns the size of all memory except segments and carry. */
static size_t fixed_bytes(const struct rsp_window *win)
{
	return sizeof(*win) + 3 * rsp_coder_bytes(win->coder_halvings) + win->evictor.chunk_bytes;
}

static size_t segment_cost(const struct rsp_window *win)
{
	return sizeof(struct segment) + win->segment_bytes;
}

static size_t allocated_bytes(const struct rsp_window *win)
{
	return fixed_bytes(win) + win->segment_cnt * segment_cost(win) +
	       rsp_carry_bytes(win->carry);
}

/* Frees a segment, or keeps its memory for the next one if there is no spare segment yet. */
static void put_segment(struct rsp_window *win, struct segment *seg)
{
	if (!win->spare) {
		win->spare = seg;
		return;
	}
	segment_free(seg);
	win->segment_cnt--;
}

static struct segment *get_segment(struct rsp_window *win)
{
	struct segment *seg = win->spare;

	win->spare = NULL;
	if (!seg) {
		seg = segment_new(win->segment_bytes);
		win->segment_cnt += !!seg;
	}
	if (seg)
		segment_clear(seg);
	return seg;
}

static unsigned int coder_halvings(size_t budget_bytes)
{
	unsigned int cnt = 0;

	while (cnt < RSP_CODER_HALVINGS_MAX && budget_bytes << cnt < BUDGET_BYTES_OF_FULL_CODER)
		cnt++;
	return cnt;
}

static void set_sizes(struct rsp_window *win, size_t budget_bytes)
{
	win->stats.budget_bytes = budget_bytes;
	win->segment_bytes = clamp(budget_bytes / SEGMENTS_PER_BUDGET, SEGMENT_BYTES_MIN,
				   SEGMENT_BYTES_MAX) -
			     SEGMENT_OVERHEAD;
	win->coder_halvings = coder_halvings(budget_bytes);
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
	TAILQ_INIT(&win->generations);
	set_sizes(win, budget_bytes);
	r = rsp_reader_init(&win->evictor, FOLD_CHUNK_BYTES, win->coder_halvings);
	if (r == 0)
		r = rsp_coder_new(win->coder_halvings, &win->writer);
	if (r == 0)
		r = rsp_coder_new(win->coder_halvings, &win->namer);
	if (r == 0)
		r = rsp_carry_new(&win->carry);
	if (r < 0)
		return r;
	win->generation_segments = clamp((budget_bytes - fixed_bytes(win)) /
						 GENERATIONS_PER_BUDGET / segment_cost(win),
					 1, SIZE_MAX);
	*ret = rsp_take_ptr(win);
	return 0;
}

struct rsp_window *rsp_window_free(struct rsp_window *win)
{
	struct generation *gen;

	if (!win)
		return NULL;
	while ((gen = TAILQ_FIRST(&win->generations))) {
		TAILQ_REMOVE(&win->generations, gen, link);
		generation_free(gen);
	}
	segment_free(win->spare);
	rsp_reader_done(&win->evictor);
	rsp_coder_free(win->writer);
	rsp_coder_free(win->namer);
	rsp_carry_free(win->carry);
	free(win);
	return NULL;
}

/* --- evicting segments ---------------------------------------------------------------------- */

static int add_name(struct rsp_window *win, struct generation *gen, const struct rsp_ev_hdr *hdr)
{
	struct segment *seg = TAILQ_LAST(&gen->names, segment_list);

	if (!seg)
		rsp_coder_reset(win->namer);
	if (!seg || rsp_segment_append(seg->records, win->namer, hdr) < 0) {
		seg = get_segment(win);
		if (!seg)
			return -ENOMEM;
		TAILQ_INSERT_TAIL(&gen->names, seg, link);
		rsp_segment_append(seg->records, win->namer, hdr);
	}
	seg->name_cnt++;
	return 0;
}

/*
 * Moves the names to the name segments of the generation. Returns the length of the other records.
 */
static size_t take_names(struct rsp_window *win, struct generation *gen, char *records, size_t len)
{
	size_t kept = 0, size;

	for (size_t off = 0; off < len; off += size) {
		const struct rsp_ev_hdr *hdr = (const void *)(records + off);

		size = hdr->size;
		if (!rsp_window_is_name(hdr)) {
			memmove(records + kept, hdr, size);
			kept += size;
		} else if (add_name(win, gen, hdr) < 0) {
			win->stats.carry_dropped_cnt++;
		}
	}
	return kept;
}

static void fold(struct rsp_window *win, struct generation *gen, const struct segment *seg)
{
	struct reader *rd = &win->evictor;
	size_t pos = 0, len;

	if (gen->evicted_cnt == 0)
		rsp_coder_reset(rd->coder);
	while ((len = rsp_reader_next(rd, seg, &pos)) > 0)
		rsp_carry_fold(win->carry, rd->chunk, take_names(win, gen, rd->chunk, len));
}

/* Drops the names of the generation, except the names that sleeping tasks need. */
static void expire(struct rsp_window *win, struct generation *gen)
{
	_cleanup_(rsp_reader_done) struct reader rd = {0};
	bool readable = rsp_reader_init(&rd, FOLD_CHUNK_BYTES, win->coder_halvings) == 0;
	struct segment *seg;

	while ((seg = TAILQ_FIRST(&gen->names))) {
		size_t pos = 0, len;

		while (readable && (len = rsp_reader_next(&rd, seg, &pos)) > 0)
			rsp_carry_learn(win->carry, rd.chunk, len);
		if (!readable)
			win->stats.carry_dropped_cnt += seg->name_cnt;
		TAILQ_REMOVE(&gen->names, seg, link);
		put_segment(win, seg);
	}
	TAILQ_REMOVE(&win->generations, gen, link);
	generation_free(gen);
}

/*
 * The oldest event may be in any segment, because events of different CPUs do not arrive in order
 * of time.
 */
static __u64 oldest_in(const struct generation *gen)
{
	__u64 oldest_ns = UINT64_MAX;
	const struct segment *seg;

	TAILQ_FOREACH(seg, &gen->segments, link)
	if (seg->oldest_ns < oldest_ns)
		oldest_ns = seg->oldest_ns;
	return oldest_ns;
}

static __u64 oldest_held(const struct rsp_window *win)
{
	__u64 oldest_ns = UINT64_MAX, ns;
	const struct generation *gen;

	TAILQ_FOREACH(gen, &win->generations, link)
	{
		ns = oldest_in(gen);
		if (ns < oldest_ns)
			oldest_ns = ns;
	}
	return oldest_ns;
}

static struct generation *oldest_generation(const struct rsp_window *win)
{
	struct generation *gen = TAILQ_FIRST(&win->generations);

	while (gen && TAILQ_EMPTY(&gen->segments))
		gen = TAILQ_NEXT(gen, link);
	return gen;
}

/* Returns false if there is no segment. */
static bool evict(struct rsp_window *win)
{
	struct generation *gen = oldest_generation(win);
	struct segment *seg;

	if (!gen)
		return false;
	seg = TAILQ_FIRST(&gen->segments);
	fold(win, gen, seg);
	TAILQ_REMOVE(&gen->segments, seg, link);
	gen->evicted_cnt++;
	rsp_carry_drop_older(win->carry, oldest_held(win));
	if (rsp_outlives_stragglers(gen->evicted_cnt, gen))
		while (TAILQ_FIRST(&win->generations) != gen)
			expire(win, TAILQ_FIRST(&win->generations));
	rsp_carry_trim(win->carry, (win->stats.budget_bytes - fixed_bytes(win)) / CARRY_SHARE);
	if (seg->newest_ns > win->evicted_ns)
		win->evicted_ns = seg->newest_ns;
	win->stats.evicted_cnt++;
	put_segment(win, seg);
	return true;
}

/* --- beginning segments --------------------------------------------------------------------- */

static void make_room(struct rsp_window *win)
{
	while (allocated_bytes(win) + (win->spare ? 0 : segment_cost(win)) >
		       win->stats.budget_bytes &&
	       evict(win))
		;
}

static struct generation *begin_generation(struct rsp_window *win)
{
	struct generation *gen = calloc(1, sizeof(*gen));

	if (!gen)
		return NULL;
	TAILQ_INIT(&gen->segments);
	TAILQ_INIT(&gen->names);
	gen->number = ++win->generation_cnt;
	TAILQ_INSERT_TAIL(&win->generations, gen, link);
	rsp_coder_reset(win->writer);
	return gen;
}

/* Returns 1 if the new segment is the first of a generation, else 0; -ENOMEM. */
static int begin_segment(struct rsp_window *win)
{
	struct generation *gen = TAILQ_LAST(&win->generations, generation_list);
	struct segment *seg;

	win->open = NULL;
	make_room(win);
	seg = get_segment(win);
	if (!seg && evict(win)) /* if memory runs out, the window becomes shorter */
		seg = get_segment(win);
	if (!seg)
		return -ENOMEM;
	if (!gen || gen->segment_cnt >= win->generation_segments)
		gen = begin_generation(win);
	if (!gen) {
		put_segment(win, seg);
		return -ENOMEM;
	}
	TAILQ_INSERT_TAIL(&gen->segments, seg, link);
	gen->segment_cnt++;
	win->open = seg;
	return gen->segment_cnt == 1;
}

/* --- adding records ------------------------------------------------------------------------- */

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
	if (rsp_window_is_name(hdr)) {
		seg->name_cnt++;
		return;
	}
	seg->event_cnt++;
	seg->switch_cnt += hdr->kind == RSP_EV_SWITCH || hdr->kind == RSP_EV_WAKING;
	if (hdr->ts_ns < seg->oldest_ns)
		seg->oldest_ns = hdr->ts_ns;
	if (hdr->ts_ns > seg->newest_ns)
		seg->newest_ns = hdr->ts_ns;
}

/* Adds a record. Returns -ENOSPC if the open segment is full or no segment is open. */
static int add(struct rsp_window *win, const struct rsp_ev_hdr *hdr)
{
	int r = win->open ? rsp_segment_append(win->open->records, win->writer, hdr) : -ENOSPC;

	if (r == 0)
		count_in_segment(win->open, hdr);
	return r;
}

int rsp_window_append(struct rsp_window *win, const void *rec, size_t len)
{
	int r = rsp_record_check(rec, len), began = 0;

	if (r < 0) {
		win->stats.bad_cnt++;
		return r;
	}
	r = add(win, rec);
	if (r == -ENOSPC) {
		began = begin_segment(win);
		r = began < 0 ? began : add(win, rec);
	}
	if (r < 0) {
		win->stats.lost_cnt++;
		return r;
	}
	count(&win->stats, rec);
	return began;
}

void rsp_window_drop_user_stacks(struct rsp_window *win)
{
	rsp_carry_drop_user_stacks(win->carry);
}

/* --- statistics ----------------------------------------------------------------------------- */

static void sum_segments(const struct segment_list *list, struct rsp_window_stats *ret)
{
	const struct segment *seg;

	TAILQ_FOREACH(seg, list, link)
	{
		ret->segment_bytes += rsp_segment_bytes(seg->records);
		ret->segment_events += seg->event_cnt;
		ret->segment_switches += seg->switch_cnt;
		if (seg->newest_ns > ret->newest_ns)
			ret->newest_ns = seg->newest_ns;
	}
}

void rsp_window_get_stats(const struct rsp_window *win, struct rsp_window_stats *ret)
{
	const struct generation *gen;

	*ret = win->stats;
	ret->carry_bytes = rsp_carry_bytes(win->carry);
	ret->carry_dropped_cnt += rsp_carry_dropped_cnt(win->carry);
	ret->oldest_ns = rsp_window_oldest(win, 0);
	TAILQ_FOREACH(gen, &win->generations, link)
	{
		sum_segments(&gen->segments, ret);
		sum_segments(&gen->names, ret);
	}
	ret->bytes = fixed_bytes(win) + ret->carry_bytes + ret->segment_bytes;
}

/*
 * Events of different CPUs do not arrive in order of time, so the border between two segments is
 * not a point in time. To begin at a point in time, rsp_window_foreach() removes older events from
 * the segments and adds them to the state.
 */
__u64 rsp_window_oldest(const struct rsp_window *win, __u64 since_ns)
{
	__u64 before_ns = win->evicted_ns, oldest_ns;
	const struct generation *gen;
	const struct segment *seg;

	TAILQ_FOREACH(gen, &win->generations, link)
	TAILQ_FOREACH(seg, &gen->segments, link)
	if (seg->newest_ns < since_ns && seg->newest_ns > before_ns)
		before_ns = seg->newest_ns;
	if (before_ns)
		return before_ns + 1;
	oldest_ns = oldest_held(win);
	return oldest_ns == UINT64_MAX ? 0 : oldest_ns;
}
