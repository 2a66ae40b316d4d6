/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See trail.h. The segments that ended before start_ns are read once: their events are folded into
 * the carry (carry.h), and their names are kept for two generations, since later events may refer
 * to them. The result is saved as the trail. The remaining segments are read twice: first for the
 * state at start_ns, then for their records.
 */
#include "lib/snapshot/trail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/window-parts.h"

#define CHUNK_BYTES ((size_t)1 << 20)

/* The carry takes at most 1 / CARRY_SHARE of the window's budget. */
#define CARRY_SHARE 4

#define MAGIC 0x5253505452414931ULL

struct head {
	__u64 magic;
	__u64 generation;  /* number of the current generation */
	__u64 segment_cnt; /* number of segments of this generation that were read or evicted */
	__u64 coder, state, former, names; /* lengths in bytes of the parts that follow */
};

/* --- bytes ------------------------------------------------------------------------------------ */

struct bytes {
	char *v;
	size_t len, cap;
};

static int add_bytes(struct bytes *b, const void *data, size_t len)
{
	size_t cap = b->cap;
	char *p;

	if (!len)
		return 0;
	if (b->len + len > cap) {
		cap = cap * 2 > b->len + len ? cap * 2 : b->len + len;
		p = realloc(b->v, cap);
		if (!p)
			return -ENOMEM;
		b->v = p;
		b->cap = cap;
	}
	memcpy(b->v + b->len, data, len);
	b->len += len;
	return 0;
}

static void bytes_done(struct bytes *b)
{
	free(b->v);
}

static int add_chunk(const void *records, size_t len, void *userdata)
{
	return add_bytes(userdata, records, len);
}

/* --- the state of a reading ------------------------------------------------------------------- */

struct reading {
	const struct rsp_window *win;
	__u64 start_ns;
	struct reader rd;
	struct rsp_carry *carry;
	struct bytes former,
		names; /* names of the previous generation (former) and of the current one */
	/*
	 * The position: the next segment is seg, of generation gen. If gen is NULL, the window has
	 * no more segments.
	 */
	const struct generation *gen;
	const struct segment *seg;
	size_t segment_cnt; /* number of segments in gen before seg */
	int error;
	struct rsp_idmap
		words; /* words of the wanted records that may be ids of names (note_words()) */
	rsp_window_chunk_fn cb;
	void *userdata;
};

static void reading_done(struct reading *x)
{
	rsp_reader_done(&x->rd);
	rsp_carry_free(x->carry);
	rsp_idmap_done(&x->words);
	free(x->former.v);
	free(x->names.v);
}

static void note(struct reading *x, int r)
{
	if (r < 0 && x->error == 0)
		x->error = r;
}

typedef void (*take_fn)(struct reading *x, char *records, size_t len);

static void read_segment(struct reading *x, const struct segment *seg, take_fn take)
{
	size_t pos = 0, len;

	while (x->error == 0 && (len = rsp_reader_next(&x->rd, seg, &pos)) > 0)
		take(x, x->rd.chunk, len);
}

/*
 * Stores all words of a wanted record that may be ids of names. In each kind of record, an id is a
 * whole word.
 */
static void note_words(struct reading *x, const struct rsp_ev_hdr *hdr)
{
	const __u64 *words = (const void *)hdr;

	for (size_t i = sizeof(*hdr) / sizeof(*words); i < hdr->size / sizeof(*words); i++)
		if (words[i] > UINT32_MAX)
			note(x, rsp_idmap_put(&x->words, words[i], 1));
}

/*
 * Folds the events before start_ns into the carry, keeps all names, and stores the words of all
 * other events.
 */
static void take_before(struct reading *x, char *records, size_t len)
{
	size_t kept = 0, size;

	for (size_t off = 0; off < len; off += size) {
		const struct rsp_ev_hdr *hdr = (const void *)(records + off);

		size = hdr->size;
		if (rsp_window_is_name(hdr)) {
			note(x, add_bytes(&x->names, hdr, size));
			/* a SOCKET record may refer to a path, which is an OBJECT record */
			if (hdr->kind == RSP_EV_SOCKET)
				note_words(x, hdr);
		} else if (hdr->ts_ns < x->start_ns) {
			memmove(records + kept, hdr, size);
			kept += size;
		} else {
			note_words(x, hdr);
		}
	}
	rsp_carry_fold(x->carry, records, kept);
}

/* Passes names, and the events since start_ns, to the callback. */
static void take_since(struct reading *x, char *records, size_t len)
{
	size_t kept = 0, size;

	for (size_t off = 0; off < len; off += size) {
		const struct rsp_ev_hdr *hdr = (const void *)(records + off);

		size = hdr->size;
		if (!rsp_window_is_name(hdr) && hdr->ts_ns < x->start_ns)
			continue;
		memmove(records + kept, hdr, size);
		kept += size;
	}
	if (kept)
		note(x, x->cb(records, kept, x->userdata));
}

/* --- positions -------------------------------------------------------------------------------- */

static void read_names(struct reading *x, take_fn take)
{
	const struct segment *seg;

	rsp_coder_reset(x->rd.coder);
	TAILQ_FOREACH(seg, &x->gen->names, link)
	read_segment(x, seg, take);
}

/*
 * Moves to the beginning of a generation, and reads the names of its evicted segments. Drops the
 * names of the generation before the previous one, except the names that sleeping tasks need.
 */
static void begin_generation(struct reading *x, const struct generation *gen, take_fn take)
{
	struct bytes oldest = x->former;

	if (oldest.len)
		rsp_carry_learn(x->carry, oldest.v, oldest.len);
	x->former = x->names;
	x->names = (struct bytes){.v = oldest.v, .cap = oldest.cap};
	x->gen = gen;
	x->seg = TAILQ_FIRST(&gen->segments);
	x->segment_cnt = gen->evicted_cnt;
	read_names(x, take);
	if (gen->evicted_cnt > 0)
		rsp_coder_assign(x->rd.coder, x->win->evictor.coder);
	else
		rsp_coder_reset(x->rd.coder);
}

/* Moves to the next generation with segments if this generation has no more. */
static bool has_next(struct reading *x, take_fn take)
{
	while (x->gen && !x->seg) {
		const struct generation *next = TAILQ_NEXT(x->gen, link);

		if (!next)
			return false;
		begin_generation(x, next, take);
	}
	return x->seg != NULL;
}

static void read_next(struct reading *x, take_fn take)
{
	read_segment(x, x->seg, take);
	x->seg = TAILQ_NEXT(x->seg, link);
	x->segment_cnt++;
}

/* --- trails ----------------------------------------------------------------------------------- */

static const struct generation *find_generation(const struct rsp_window *win, __u64 number)
{
	const struct generation *gen;

	TAILQ_FOREACH(gen, &win->generations, link)
	if (gen->number == number)
		return gen;
	return NULL;
}

static bool fits(const struct reading *x, const struct rsp_trail *t, struct head *ret)
{
	const struct generation *gen;

	if (t->len < sizeof(*ret))
		return false;
	memcpy(ret, t->bytes, sizeof(*ret));
	if (ret->magic != MAGIC || ret->coder != rsp_coder_learned_bytes(x->win->coder_halvings) ||
	    sizeof(*ret) + ret->coder + ret->state + ret->former + ret->names != t->len)
		return false;
	gen = find_generation(x->win, ret->generation);
	return gen && gen->evicted_cnt <= ret->segment_cnt && ret->segment_cnt <= gen->segment_cnt;
}

static int resume(struct reading *x, const struct rsp_trail *t, const struct head *head)
{
	const char *p = (const char *)t->bytes + sizeof(*head);
	int r = rsp_carry_new(&x->carry);

	if (r < 0)
		return r;
	rsp_coder_restore(x->rd.coder, p);
	p += head->coder;
	rsp_carry_fold(x->carry, p, head->state);
	rsp_carry_learn(x->carry, p, head->state);
	p += head->state;
	r = add_bytes(&x->former, p, head->former);
	if (r == 0)
		r = add_bytes(&x->names, p + head->former, head->names);
	x->gen = find_generation(x->win, head->generation);
	x->seg = TAILQ_FIRST(&x->gen->segments);
	for (x->segment_cnt = x->gen->evicted_cnt; x->segment_cnt < head->segment_cnt;
	     x->segment_cnt++)
		x->seg = TAILQ_NEXT(x->seg, link);
	return r;
}

static int begin(struct reading *x)
{
	int r = rsp_carry_copy(x->win->carry, &x->carry);

	if (r == 0 && TAILQ_FIRST(&x->win->generations))
		begin_generation(x, TAILQ_FIRST(&x->win->generations), take_before);
	return r;
}

static int save(const struct reading *x, struct rsp_trail *ret)
{
	size_t coder_bytes = rsp_coder_learned_bytes(x->win->coder_halvings);
	_cleanup_free_ char *coder = calloc(1, coder_bytes);
	struct head head = {
		.magic = MAGIC,
		.generation = x->gen->number,
		.segment_cnt = x->segment_cnt,
		.coder = coder_bytes,
		.former = x->former.len,
		.names = x->names.len,
	};
	struct bytes all = {0};
	int r = coder ? 0 : -ENOMEM;

	if (r == 0)
		r = add_bytes(&all, &head, sizeof(head));
	if (r == 0) {
		rsp_coder_save(x->rd.coder, coder);
		r = add_bytes(&all, coder, coder_bytes);
	}
	if (r == 0)
		r = rsp_carry_save(x->carry, add_chunk, &all);
	head.state = all.len - sizeof(head) - coder_bytes;
	if (r == 0)
		r = add_bytes(&all, x->former.v, x->former.len);
	if (r == 0)
		r = add_bytes(&all, x->names.v, x->names.len);
	if (r < 0 || all.len > RSP_TRAIL_BYTES_MAX) {
		free(all.v);
		return r;
	}
	memcpy(all.v, &head, sizeof(head));
	*ret = (struct rsp_trail){all.v, all.len};
	return 0;
}

void rsp_trail_done(struct rsp_trail *t)
{
	free(t->bytes);
	*t = (struct rsp_trail){0};
}

/* --- reading ---------------------------------------------------------------------------------- */

/*
 * Returns the time of the oldest event in the segments from the current position on, but at most
 * start_ns.
 */
static __u64 oldest_left(const struct reading *x)
{
	const struct generation *gen = x->gen;
	const struct segment *seg = x->seg;
	__u64 oldest_ns = x->start_ns;

	while (gen) {
		for (; seg; seg = TAILQ_NEXT(seg, link))
			if (seg->oldest_ns < oldest_ns)
				oldest_ns = seg->oldest_ns;
		gen = TAILQ_NEXT(gen, link);
		seg = gen ? TAILQ_FIRST(&gen->segments) : NULL;
	}
	return oldest_ns;
}

/* The open segment does not count, since it gets more records. */
static void read_past(struct reading *x)
{
	while (x->error == 0 && has_next(x, take_before) && x->seg != x->win->open &&
	       x->seg->newest_ns < x->start_ns)
		read_next(x, take_before);
	rsp_carry_drop_older(x->carry, oldest_left(x));
	rsp_carry_trim(x->carry, x->win->stats.budget_bytes / CARRY_SHARE);
}

/* The position at which the second reading of the remaining segments begins. */
struct place {
	const struct generation *gen;
	const struct segment *seg;
	size_t segment_cnt;
	struct rsp_coder *coder;
};

static int keep_place(const struct reading *x, struct place *ret)
{
	int r = rsp_coder_new(x->win->coder_halvings, &ret->coder);

	if (r < 0)
		return r;
	rsp_coder_assign(ret->coder, x->rd.coder);
	ret->gen = x->gen;
	ret->seg = x->seg;
	ret->segment_cnt = x->segment_cnt;
	return 0;
}

static void take_place(struct reading *x, struct place *place)
{
	rsp_coder_assign(x->rd.coder, place->coder);
	place->coder = rsp_coder_free(place->coder);
	x->gen = place->gen;
	x->seg = place->seg;
	x->segment_cnt = place->segment_cnt;
}

/*
 * Reads the remaining segments for the first time. Drops their names, which the second reading
 * passes to the callback.
 */
static void fold_rest(struct reading *x)
{
	size_t former_len = x->former.len, names_len = x->names.len;
	struct bytes former = x->former, names = x->names;

	x->former = x->names = (struct bytes){0};
	while (x->error == 0 && has_next(x, take_before))
		read_next(x, take_before);
	free(x->former.v);
	free(x->names.v);
	x->former = former;
	x->names = names;
	x->former.len = former_len;
	x->names.len = names_len;
	rsp_carry_drop_older(x->carry, x->start_ns);
}

/* The first word of each name is its id. */
static bool is_wanted(const struct reading *x, const struct rsp_ev_hdr *hdr)
{
	__u64 id = ((const __u64 *)(const void *)hdr)[sizeof(*hdr) / sizeof(id)];

	return id <= UINT32_MAX || rsp_idmap_get(&x->words, id, &(uint64_t){0});
}

/* Stores the ids of the paths to which wanted sockets refer. */
static void note_sockets(struct reading *x, const struct bytes *names)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, names->v, names->len)
		if (hdr->kind == RSP_EV_SOCKET && is_wanted(x, hdr))
			note_words(x, hdr);
}

static void pass_on_names(struct reading *x, const struct bytes *names)
{
	_cleanup_(bytes_done) struct bytes wanted = {0};
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, names->v, names->len)
		if (is_wanted(x, hdr))
			note(x, add_bytes(&wanted, hdr, hdr->size));
	if (x->error == 0 && wanted.len)
		note(x, x->cb(wanted.v, wanted.len, x->userdata));
}

static int pass_on_state(const void *records, size_t len, void *userdata)
{
	struct reading *x = userdata;
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, records, len)
		note_words(x, hdr);
	return x->error == 0 ? x->cb(records, len, x->userdata) : x->error;
}

static void pass_on(struct reading *x)
{
	note(x, rsp_carry_foreach(x->carry, pass_on_state, x));
	note_sockets(x, &x->former);
	note_sockets(x, &x->names);
	pass_on_names(x, &x->former);
	pass_on_names(x, &x->names);
}

static void pass_on_rest(struct reading *x)
{
	while (x->error == 0 && has_next(x, take_since))
		read_next(x, take_since);
}

static int read_rest(struct reading *x)
{
	struct place place = {0};
	int r = x->gen ? keep_place(x, &place) : 0;

	if (r < 0)
		return r;
	fold_rest(x);
	pass_on(x);
	if (x->gen) {
		take_place(x, &place);
		pass_on_rest(x);
	}
	return x->error;
}

int rsp_trail_foreach(const struct rsp_window *win, const struct rsp_trail *from, __u64 since_ns,
		      rsp_window_chunk_fn cb, void *userdata, struct rsp_trail *ret)
{
	_cleanup_(reading_done) struct reading x = {
		.win = win,
		.start_ns = rsp_window_oldest(win, since_ns),
		.cb = cb,
		.userdata = userdata,
	};
	_cleanup_(rsp_trail_done) struct rsp_trail saved = {0};
	struct head head;
	int r = rsp_reader_init(&x.rd, CHUNK_BYTES, win->coder_halvings);

	if (r == 0)
		r = fits(&x, from, &head) ? resume(&x, from, &head) : begin(&x);
	if (r < 0)
		return r;
	read_past(&x);
	if (x.error == 0 && x.gen)
		note(&x, save(&x, &saved));
	r = x.error == 0 ? read_rest(&x) : x.error;
	if (r < 0)
		return r;
	*ret = saved;
	saved = (struct rsp_trail){0};
	return 0;
}
