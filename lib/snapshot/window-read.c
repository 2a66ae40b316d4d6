/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes the records of a window to a callback (window.h). A generation is read from its first
 * remaining segment on, because the coder has to read all segments.
 */
#include "lib/snapshot/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/window-parts.h"

/* Large, because callers compress each chunk. */
#define OUT_CHUNK_BYTES ((size_t)1 << 20)

struct pass {
	const struct rsp_window *win;
	struct reader rd;
	struct rsp_carry *carry; /* the state at start_ns */
	__u64 start_ns;
	rsp_window_chunk_fn cb;
	void *userdata;
};

static void pass_done(struct pass *pass)
{
	rsp_reader_done(&pass->rd);
	rsp_carry_free(pass->carry);
}

/* Processes some records of a segment. A negative result ends the iteration. */
typedef int (*take_fn)(struct pass *pass, const struct segment *seg, char *records, size_t len);

/* --- selection of records ------------------------------------------------------------------- */

enum record_class { NAMES = 1, BEFORE = 2, SINCE = 4 };

static enum record_class class_of(const struct rsp_ev_hdr *hdr, __u64 start_ns)
{
	if (rsp_window_is_name(hdr))
		return NAMES;
	return hdr->ts_ns < start_ns ? BEFORE : SINCE;
}

/*
 * Keeps only the records of some classes, a set of enum record_class. Returns the length of the
 * kept records.
 */
static size_t keep(char *records, size_t len, __u64 start_ns, unsigned int classes)
{
	size_t kept = 0, size;

	for (size_t off = 0; off < len; off += size) {
		const struct rsp_ev_hdr *hdr = (const void *)(records + off);

		size = hdr->size;
		if (!(classes & class_of(hdr, start_ns)))
			continue;
		if (kept != off)
			memmove(records + kept, hdr, size);
		kept += size;
	}
	return kept;
}

static int fold(struct pass *pass, const struct segment *seg, char *records, size_t len)
{
	if (seg->newest_ns >= pass->start_ns)
		len = keep(records, len, pass->start_ns, BEFORE);
	rsp_carry_fold(pass->carry, records, len);
	return 0;
}

static int learn(struct pass *pass, const struct segment *seg, char *records, size_t len)
{
	rsp_carry_learn(pass->carry, records, len);
	return 0;
}

static int hand_out(struct pass *pass, const struct segment *seg, char *records, size_t len)
{
	if (seg->oldest_ns < pass->start_ns)
		len = keep(records, len, pass->start_ns, NAMES | SINCE);
	return len > 0 ? pass->cb(records, len, pass->userdata) : 0;
}

/* --- generations ---------------------------------------------------------------------------- */

static int read_segment(struct pass *pass, const struct segment *seg, take_fn take)
{
	size_t pos = 0, len;
	int r = 0;

	while (r >= 0 && (len = rsp_reader_next(&pass->rd, seg, &pos)) > 0)
		r = take(pass, seg, pass->rd.chunk, len);
	return r;
}

static int read_names(struct pass *pass, const struct generation *gen, take_fn take)
{
	const struct segment *seg;
	int r = 0;

	rsp_coder_reset(pass->rd.coder);
	for (seg = TAILQ_FIRST(&gen->names); r >= 0 && seg; seg = TAILQ_NEXT(seg, link))
		r = read_segment(pass, seg, take);
	return r;
}

/* Reads the segments of a generation up to the segment `last`; reads none if last is NULL. */
static int read_until(struct pass *pass, const struct generation *gen, const struct segment *last,
		      take_fn take)
{
	const struct segment *seg = last ? TAILQ_FIRST(&gen->segments) : NULL;
	int r = 0;

	if (gen->evicted_cnt > 0)
		rsp_coder_assign(pass->rd.coder, pass->win->evictor.coder);
	else
		rsp_coder_reset(pass->rd.coder);
	for (; r >= 0 && seg; seg = seg == last ? NULL : TAILQ_NEXT(seg, link))
		r = read_segment(pass, seg, take);
	return r;
}

static const struct segment *last_before(const struct generation *gen, __u64 start_ns)
{
	const struct segment *seg, *last = NULL;

	TAILQ_FOREACH(seg, &gen->segments, link)
	if (seg->oldest_ns < start_ns)
		last = seg;
	return last;
}

/*
 * Returns the number of segments of a generation without events since start_ns, including evicted
 * segments.
 */
static size_t count_gone(const struct generation *gen, __u64 start_ns)
{
	size_t cnt = gen->evicted_cnt;
	const struct segment *seg;

	TAILQ_FOREACH(seg, &gen->segments, link)
	cnt += seg->newest_ns < start_ns;
	return cnt;
}

/*
 * Returns whether the names of the generation are no longer needed, because the generation and half
 * of the next one have no events since start_ns.
 */
static bool has_expired(const struct generation *gen, __u64 start_ns)
{
	const struct generation *next = TAILQ_NEXT(gen, link);

	return next && count_gone(gen, start_ns) == gen->segment_cnt &&
	       rsp_outlives_stragglers(count_gone(next, start_ns), next);
}

/* --- the whole window ----------------------------------------------------------------------- */

/*
 * First folds all events before start_ns into the carry, because only then the names that sleeping
 * tasks need are known.
 */
static int build_state(struct pass *pass)
{
	const struct generation *gen;
	int r = rsp_carry_copy(pass->win->carry, &pass->carry);

	if (r < 0)
		return r;
	TAILQ_FOREACH(gen, &pass->win->generations, link)
	read_until(pass, gen, last_before(gen, pass->start_ns), fold);
	rsp_carry_drop_older(pass->carry, pass->start_ns);
	TAILQ_FOREACH(gen, &pass->win->generations, link)
	if (has_expired(gen, pass->start_ns)) {
		read_names(pass, gen, learn);
		read_until(pass, gen, TAILQ_LAST(&gen->segments, segment_list), learn);
	}
	return 0;
}

static int hand_out_generation(struct pass *pass, const struct generation *gen)
{
	int r;

	if (has_expired(gen, pass->start_ns))
		return 0;
	r = read_names(pass, gen, hand_out);
	return r < 0 ? r
		     : read_until(pass, gen, TAILQ_LAST(&gen->segments, segment_list), hand_out);
}

int rsp_window_foreach(const struct rsp_window *win, __u64 since_ns, rsp_window_chunk_fn cb,
		       void *userdata)
{
	_cleanup_(pass_done) struct pass pass = {
		.win = win,
		.start_ns = rsp_window_oldest(win, since_ns),
		.cb = cb,
		.userdata = userdata,
	};
	const struct generation *gen;
	int r;

	r = rsp_reader_init(&pass.rd, OUT_CHUNK_BYTES, win->coder_halvings);
	if (r < 0)
		return r;
	r = build_state(&pass);
	if (r < 0)
		return r;
	r = rsp_carry_foreach(pass.carry, cb, userdata);
	for (gen = TAILQ_FIRST(&win->generations); r >= 0 && gen; gen = TAILQ_NEXT(gen, link))
		r = hand_out_generation(&pass, gen);
	return r < 0 ? r : 0;
}
