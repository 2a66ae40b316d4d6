/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See segment.h. A record is an array of 64-bit words. A word is one field of 64 bits, or two
 * fields of 32 bits. Each field is predicted from earlier records. A segment stores the
 * differences between the record and the prediction:
 *
 *	pattern  kind, flags, and for each of the first words a code of its difference; one byte
 *		 for a frequent pattern, nine bytes for a new pattern, two bytes for any other
 *	CPU      only if it differs from the CPU of the previous record
 *	size     in words; only if it differs from the last record of the same kind
 *	time     since the last record of the CPU
 *	fields   only fields that differ from the prediction: the key, then all others in order
 *	tail     the words after the first words, see encode_tail()
 *
 * There are two predictions. The first (by_key) is the last record of the same kind, flags and key.
 * The key is the main subject of a record, such as the task that leaves the CPU, or the socket. The
 * second (by_order) is the record that last followed an event like the CPU's previous event. It
 * also predicts the key. Names (STACK, OBJECT and SOCKET records) are sent for the next event of
 * the same CPU, so this event is predicted to contain their ids.
 */
#include "lib/snapshot/segment.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot/segment-coder.h"

/* --- kinds ---------------------------------------------------------------------------------- */

/*
 * A field is numbered by its position in the record, in units of 32 bits. A field of 64 bits has
 * the number of its lower half.
 */
#define FIELD(type, member)  (offsetof(struct type, member) / 4)
#define HALVES(type, member) (1 << offsetof(struct type, member) / 8)
#define WORD(type, member)   (offsetof(struct type, member) / 8)

#define FRESH(type, kstack, ustack, object)                                                        \
	{                                                                                          \
		WORD(type, kstack), WORD(type, ustack), WORD(type, object)                         \
	}

struct kind {
	/* number of words that have codes in the pattern; all other words are the tail */
	uint8_t head_words;
	uint8_t halves; /* one bit for each word; 1: the word is two fields */
	uint8_t key; /* field that contains the key; 0: all records of the kind have the same key */
	uint8_t current; /* field that contains the CPU's task before the event; 0: none */
	/* field that contains the CPU's task after the event; 0: the task does not change */
	uint8_t next;
	/* word that probably grows by the field `addend` with each record; 0: none */
	uint8_t sum;
	uint8_t addend;
	uint8_t count; /* field that contains the number of words in the tail; 0: none */
	/* words that probably contain the id of a name just sent; 0: none */
	uint8_t fresh[FRESH_CNT];
};

static const struct kind kinds[RSP_EV_KIND_MAX] = {
	[0] = {.head_words = 2}, /* all kinds that are not listed here, which are rare or unknown */
	[RSP_EV_SWITCH] = {.head_words = sizeof(struct rsp_ev_switch) / 8,
			   .halves = HALVES(rsp_ev_switch, prev_tid) |
				     HALVES(rsp_ev_switch, prev_state),
			   .key = FIELD(rsp_ev_switch, prev_tid),
			   .current = FIELD(rsp_ev_switch, prev_tid),
			   .next = FIELD(rsp_ev_switch, next_tid),
			   .fresh = FRESH(rsp_ev_switch, kstack, ustack, object)},
	[RSP_EV_WAKING] = {.head_words = sizeof(struct rsp_ev_waking) / 8,
			   .halves = HALVES(rsp_ev_waking, waker_tid) |
				     HALVES(rsp_ev_waking, context),
			   .key = FIELD(rsp_ev_waking, wakee_tid),
			   .current = FIELD(rsp_ev_waking, waker_tid),
			   .fresh = FRESH(rsp_ev_waking, kstack, ustack, cause)},
	[RSP_EV_SAMPLE] = {.head_words = sizeof(struct rsp_ev_sample) / 8,
			   .halves = HALVES(rsp_ev_sample, tid),
			   .key = FIELD(rsp_ev_sample, tid),
			   .current = FIELD(rsp_ev_sample, tid),
			   .fresh = {WORD(rsp_ev_sample, kstack), WORD(rsp_ev_sample, ustack)}},
	[RSP_EV_BLOCK] = {.head_words = sizeof(struct rsp_ev_block) / 8,
			  .halves = HALVES(rsp_ev_block, dev) | HALVES(rsp_ev_block, op_flags),
			  .key = FIELD(rsp_ev_block, request),
			  .current = FIELD(rsp_ev_block, tid),
			  .fresh = {[FRESH_OBJECT] = WORD(rsp_ev_block, object)}},
	[RSP_EV_IRQ] = {.head_words = sizeof(struct rsp_ev_irq) / 8,
			.halves = HALVES(rsp_ev_irq, vector),
			.key = FIELD(rsp_ev_irq, vector),
			.current = FIELD(rsp_ev_irq, tid)},
	[RSP_EV_NET] = {.head_words = sizeof(struct rsp_ev_net) / 8,
			.halves = HALVES(rsp_ev_net, tid),
			.key = FIELD(rsp_ev_net, sk),
			.current = FIELD(rsp_ev_net, tid),
			.sum = WORD(rsp_ev_net, seq),
			.addend = FIELD(rsp_ev_net, bytes),
			.fresh = {[FRESH_OBJECT] = WORD(rsp_ev_net, object)}},
	[RSP_EV_STACK] = {.head_words = sizeof(struct rsp_ev_stack) / 8,
			  .halves = HALVES(rsp_ev_stack, tgid),
			  .count = FIELD(rsp_ev_stack, frame_cnt)},
	[RSP_EV_OBJECT] = {.head_words = WORD(rsp_ev_object, name),
			   .halves = HALVES(rsp_ev_object, dev) | HALVES(rsp_ev_object, name_len)},
	[RSP_EV_SOCKET] = {.head_words = WORD(rsp_ev_socket, local)},
	[RSP_EV_TASK] = {.head_words = WORD(rsp_ev_task, comm),
			 .halves = HALVES(rsp_ev_task, tid) | HALVES(rsp_ev_task, ptid) |
				   HALVES(rsp_ev_task, pidns) | HALVES(rsp_ev_task, attrs)},
	[RSP_EV_EXIT] = {.head_words = sizeof(struct rsp_ev_exit) / 8,
			 .halves = HALVES(rsp_ev_exit, tid) | HALVES(rsp_ev_exit, code)},
	[RSP_EV_WORK] = {.head_words = sizeof(struct rsp_ev_work) / 8,
			 .halves = HALVES(rsp_ev_work, worker_tid) | HALVES(rsp_ev_work, context),
			 .key = FIELD(rsp_ev_work, worker_tid),
			 .current = FIELD(rsp_ev_work, worker_tid)},
	[RSP_EV_DELAY] = {.head_words = sizeof(struct rsp_ev_delay) / 8,
			  .halves = HALVES(rsp_ev_delay, tid),
			  .key = FIELD(rsp_ev_delay, subject),
			  .current = FIELD(rsp_ev_delay, tid)},
	[RSP_EV_MESSAGE] = {.head_words = sizeof(struct rsp_ev_message) / 8,
			    .halves = HALVES(rsp_ev_message, tid),
			    .key = FIELD(rsp_ev_message, from),
			    .current = FIELD(rsp_ev_message, tid),
			    .fresh = {[FRESH_OBJECT] = WORD(rsp_ev_message, to)}},
	[RSP_EV_MARK] = {.head_words = WORD(rsp_ev_mark, text), .halves = HALVES(rsp_ev_mark, uid)},
	[RSP_EV_COUNTERS] = {.head_words = sizeof(struct rsp_ev_counters) / 8},
	[RSP_EV_ACCOUNT] = {.head_words = sizeof(struct rsp_ev_account) / 8,
			    .halves = HALVES(rsp_ev_account, tid),
			    .key = FIELD(rsp_ev_account, tid)},
	[RSP_EV_CALLS] = {.head_words = WORD(rsp_ev_calls, pending_ns),
			  .halves = HALVES(rsp_ev_calls, tid),
			  .key = FIELD(rsp_ev_calls, syscall_nr)},
	[RSP_EV_CPU_TIME] = {.head_words = sizeof(struct rsp_ev_cpu_time) / 8},
	[RSP_EV_STOLEN] = {.head_words = sizeof(struct rsp_ev_stolen) / 8,
			   .halves = HALVES(rsp_ev_stolen, tid),
			   .current = FIELD(rsp_ev_stolen, tid)},
	[RSP_EV_MEMORY] = {.head_words = WORD(rsp_ev_memory, live_bytes),
			   .halves = HALVES(rsp_ev_memory, tid),
			   .key = FIELD(rsp_ev_memory, tid)},
	[RSP_EV_MEMORY_WATCH] = {.head_words = WORD(rsp_ev_memory_watch, lost_cnt),
				 .halves = HALVES(rsp_ev_memory_watch, tgid)},
};

static inline unsigned int row_of(uint16_t kind)
{
	return kind < RSP_EV_KIND_MAX && kinds[kind].head_words ? kind : 0;
}

static inline bool is_halves(const struct kind *k, unsigned int word)
{
	return k->halves >> word & 1;
}

static inline uint32_t half_of(uint64_t word, unsigned int field)
{
	return (uint32_t)(word >> field % 2 * 32);
}

static inline uint64_t with_half(uint64_t word, unsigned int field, uint32_t v)
{
	unsigned int shift = field % 2 * 32;

	return (word & ~(0xffffffffULL << shift)) | (uint64_t)v << shift;
}

static inline uint64_t field_of(const struct kind *k, uint64_t word, unsigned int field)
{
	return is_halves(k, field / 2) ? half_of(word, field) : word;
}

static inline uint64_t with_field(const struct kind *k, uint64_t word, unsigned int field,
				  uint64_t v)
{
	return is_halves(k, field / 2) ? with_half(word, field, (uint32_t)v) : v;
}

/* --- predictions ---------------------------------------------------------------------------- */

struct expectation {
	const struct kind *kind;
	struct cpu *cpu;
	struct image *by_key, *by_order;
	uint64_t key;
	uint32_t tail_words;
};

/*
 * Returns the entry of a table of records. what: kind and flags. like: the key, for the table
 * by_key; a hash of the CPU's last event, for by_order.
 */
static inline struct image *image_of(const struct rsp_coder *c, struct image *table,
				     unsigned int bits, uint32_t what, uint64_t like)
{
	return &table[mix(what, like) >> (64 - bits + c->halvings)];
}

static inline uint64_t *word_of(struct image *image, unsigned int i)
{
	return &image->w[i - 2];
}

static inline uint64_t expected_word(const struct expectation *e, unsigned int i)
{
	const struct kind *k = e->kind;
	uint64_t v = *word_of(e->by_key, i);

	if (i == k->current / 2u)
		v = with_half(v, k->current, e->cpu->current_tid);
	if (i == k->key / 2u)
		v = with_field(k, v, k->key, e->key);
	return v;
}

/*
 * Predicts fields that do not follow from an earlier record: the number of words in the tail, and
 * the ids of names just sent.
 */
static inline void predict(struct expectation *e)
{
	const struct kind *k = e->kind;

	if (k->count) {
		uint64_t *word = word_of(e->by_key, k->count / 2u);

		*word = with_half(*word, k->count, e->tail_words);
	}
	if (!e->cpu->has_fresh || !k->current)
		return;
	e->cpu->has_fresh = false;
	for (unsigned int f = 0; f < FRESH_CNT; f++) {
		if (k->fresh[f] && e->cpu->fresh[f])
			*word_of(e->by_key, k->fresh[f]) = e->cpu->fresh[f];
		e->cpu->fresh[f] = 0;
	}
}

static inline void learn_word(struct expectation *e, unsigned int i, uint64_t v)
{
	*word_of(e->by_key, i) = v;
	*word_of(e->by_order, i) = v;
}

static inline uint32_t get_half(struct image *image, unsigned int field)
{
	return half_of(*word_of(image, field / 2), field);
}

/* Stores the id of a name, since the next event of the CPU probably refers to it. */
static inline void learn_name(struct expectation *e, uint16_t kind, uint16_t flags)
{
	enum fresh fresh = kind != RSP_EV_STACK	    ? FRESH_OBJECT
			   : flags & RSP_STACK_USER ? FRESH_USTACK
						    : FRESH_KSTACK;

	if (kind != RSP_EV_STACK && kind != RSP_EV_OBJECT && kind != RSP_EV_SOCKET)
		return;
	e->cpu->fresh[fresh] = *word_of(e->by_key, WORD(rsp_ev_stack, id));
	e->cpu->has_fresh = true;
}

/*
 * Stores the last event of a CPU and its current task. Only kinds that contain the current task
 * (k->current) count as events: other records may come between any two events.
 */
static inline void learn_event(struct expectation *e, uint16_t kind, uint16_t flags)
{
	const struct kind *k = e->kind;
	struct image *image = e->by_key;
	uint64_t *sum;

	if (!k->current) {
		learn_name(e, kind, flags);
		return;
	}
	e->cpu->current_tid = get_half(image, k->next ? k->next : k->current);
	e->cpu->last = (uint32_t)(mix(mix(kind, *word_of(image, 2)), *word_of(image, 3)) >> 32);
	if (!k->sum)
		return;
	sum = word_of(image, k->sum);
	if (*sum) /* 0: the record does not use this sum */
		*sum += get_half(image, k->addend);
}

/* --- the first words ------------------------------------------------------------------------ */

static inline uint64_t load(const void *words, unsigned int i)
{
	uint64_t v;

	memcpy(&v, (const char *)words + i * sizeof(v), sizeof(v));
	return v;
}

static inline void store(void *words, unsigned int i, uint64_t v)
{
	memcpy((char *)words + i * sizeof(v), &v, sizeof(v));
}

/* The code of a word has four bits, and the code of a half has two. */
static inline unsigned int code_shift(unsigned int field)
{
	return 2 * field;
}

/* Returns the code of the field, shifted to its position. */
static inline uint32_t encode_field(struct rsp_coder *c, const struct kind *k, unsigned int field,
				    uint64_t word, uint64_t a, uint64_t b, uint8_t **p)
{
	unsigned int code;

	if (is_halves(k, field / 2))
		code = encode_half(c, half_of(word, field), half_of(a, field), half_of(b, field),
				   p);
	else
		code = encode_word(c, word, a, b, a, p);
	return code << code_shift(field);
}

static inline uint64_t decode_field(struct rsp_coder *c, const struct kind *k, unsigned int field,
				    uint32_t codes, uint64_t a, uint64_t b, const uint8_t **p)
{
	unsigned int code = codes >> code_shift(field);

	if (is_halves(k, field / 2))
		return decode_half(c, code & 3, half_of(a, field), half_of(b, field), p);
	return decode_word(c, code & 15, a, b, a, p);
}

static inline uint64_t expected_key_word(const struct expectation *e, uint64_t by_order)
{
	const struct kind *k = e->kind;

	return k->key == k->current ? with_half(by_order, k->key, e->cpu->current_tid) : by_order;
}

static inline uint32_t encode_head(struct rsp_coder *c, struct expectation *e, uint32_t what,
				   const void *rec, uint8_t **p)
{
	const struct kind *k = e->kind;
	uint32_t codes = 0;

	e->by_order = image_of(c, c->by_order, ORDER_BITS, what, e->cpu->last);
	if (k->key) {
		uint64_t v = load(rec, k->key / 2), b = *word_of(e->by_order, k->key / 2);

		codes = encode_field(c, k, k->key, v, expected_key_word(e, b), b, p);
		e->key = field_of(k, v, k->key);
	}
	e->by_key = image_of(c, c->by_key, KEY_BITS, what, e->key);
	predict(e);
	for (unsigned int i = 2; i < k->head_words; i++) {
		uint64_t v = load(rec, i), a = expected_word(e, i), b = *word_of(e->by_order, i);

		learn_word(e, i, v);
		if (v == a)
			continue;
		codes |= encode_field(c, k, 2 * i, v, a, b, p);
		if (is_halves(k, i))
			codes |= encode_field(c, k, 2 * i + 1, v, a, b, p);
	}
	return codes;
}

static inline void decode_head(struct rsp_coder *c, struct expectation *e, uint32_t what,
			       uint32_t codes, void *ret, const uint8_t **p)
{
	const struct kind *k = e->kind;

	e->by_order = image_of(c, c->by_order, ORDER_BITS, what, e->cpu->last);
	if (k->key) {
		uint64_t b = *word_of(e->by_order, k->key / 2);

		e->key = decode_field(c, k, k->key, codes, expected_key_word(e, b), b, p);
		codes &= ~((is_halves(k, k->key / 2) ? 3U : 15U) << code_shift(k->key));
	}
	e->by_key = image_of(c, c->by_key, KEY_BITS, what, e->key);
	predict(e);
	for (unsigned int i = 2; i < k->head_words; i++) {
		uint64_t v = expected_word(e, i), a = v, b = *word_of(e->by_order, i);

		if (codes >> code_shift(2 * i) & 15) {
			v = decode_field(c, k, 2 * i, codes, a, b, p);
			if (is_halves(k, i))
				v |= decode_field(c, k, 2 * i + 1, codes, a, b, p) << 32;
		}
		learn_word(e, i, v);
		store(ret, i, v);
	}
}

/* --- the other words ------------------------------------------------------------------------ */

static inline uint64_t *tail_slot(struct rsp_coder *c, uint64_t prev, uint64_t before)
{
	return &c->tails[mix(prev, before) >> (64 - TAIL_BITS + c->halvings)];
}

/* Number of bytes for the number of coded words in the tail; 0: the tail is empty. */
#define TAIL_CNT_BYTES(cnt) ((cnt) == 0 ? 0U : (cnt) < 256 ? 1U : 2U)

/* Code of a word in the tail, in two bits; see encode_tail(). */
enum tail_code {
	TAIL_A = 0,
	TAIL_B = 1,
	TAIL_VALUE = 2,
	TAIL_DIFF = 3, /* a byte: number of further bytes, four bits of the difference */
};

static inline unsigned int encode_tail_word(struct rsp_coder *c, uint64_t v, uint64_t a, uint64_t b,
					    uint64_t prev, uint8_t **p)
{
	uint64_t diff = zigzag(v - prev);
	unsigned int bytes = bytes_of(diff >> 4), slot;

	if (v == a)
		return TAIL_A;
	if (v == b)
		return TAIL_B;
	if (find_value(c, v, &slot)) {
		put(p, slot, VALUE_BYTES);
		return TAIL_VALUE;
	}
	learn_value(c, v);
	put(p, bytes | diff << 4, 1);
	put(p, diff >> 4, bytes);
	return TAIL_DIFF;
}

static inline uint64_t decode_tail_word(struct rsp_coder *c, unsigned int code, uint64_t a,
					uint64_t b, uint64_t prev, const uint8_t **p)
{
	uint64_t first, v;

	if (code == TAIL_A)
		return a;
	if (code == TAIL_B)
		return b;
	if (code == TAIL_VALUE)
		return c->values[get(p, VALUE_BYTES)];
	first = get(p, 1);
	v = prev + unzigzag(get(p, first & 15) << 4 | first >> 4);
	learn_value(c, v);
	return v;
}

/*
 * Encodes the tail, which mostly contains the frames of a stack. A word has two predictions: the
 * word that last followed the same two words (TAIL_A), and the word that last followed the same
 * single word (TAIL_B). TAIL_VALUE is an index into the table of values, and TAIL_DIFF the
 * difference from the previous word.
 *
 * The number of coded words comes first. The words after the last word that differs from TAIL_A are
 * not coded: these are mostly the outermost callers. A byte with four codes precedes each group of
 * four coded words.
 */
static void encode_tail(struct rsp_coder *c, const void *words, unsigned int cnt, uint8_t **p)
{
	uint8_t *coded_cnt = *p, *codes = NULL, *end = *p + TAIL_CNT_BYTES(cnt);
	uint64_t prev = 0, before = 0;
	unsigned int coded = 0;

	*p = end;
	for (unsigned int i = 0; i < cnt; i++) {
		uint64_t *a = tail_slot(c, prev, before), *b = tail_slot(c, prev, 1);
		uint64_t v = load(words, i);
		unsigned int code;

		if (i % 4 == 0) {
			codes = (*p)++;
			*codes = 0;
		}
		code = encode_tail_word(c, v, *a, *b, prev, p);
		*codes |= (uint8_t)(code << 2 * (i % 4));
		if (code != TAIL_A) {
			coded = i + 1;
			end = *p;
		}
		*a = *b = v;
		before = prev;
		prev = v;
	}
	*p = end;
	memcpy(coded_cnt, &coded, TAIL_CNT_BYTES(cnt));
}

static void decode_tail(struct rsp_coder *c, void *words, unsigned int cnt, const uint8_t **p)
{
	unsigned int coded = (unsigned int)get(p, TAIL_CNT_BYTES(cnt)), codes = 0;
	uint64_t prev = 0, before = 0;

	for (unsigned int i = 0; i < cnt; i++) {
		uint64_t *a = tail_slot(c, prev, before), *b = tail_slot(c, prev, 1);
		uint64_t v = *a;

		if (i < coded) {
			codes = i % 4 ? codes >> 2 : (unsigned int)get(p, 1);
			v = decode_tail_word(c, codes & 3, *a, *b, prev, p);
		}
		store(words, i, v);
		*a = *b = v;
		before = prev;
		prev = v;
	}
}

/* --- records -------------------------------------------------------------------------------- */

/* Codes of word 1 of the header. The code of word 0 is the number of bytes of the time. */
#define OTHER_CPU  (1U << 4)
#define OTHER_SIZE (2U << 4) /* size in words, one byte */
#define LONG_SIZE  (4U << 4) /* size in words, two bytes */

/* Returns the maximum size of an encoded record, if all predictions fail. */
static inline size_t encoded_bytes_max(size_t size)
{
	return size + size / 4 + 32;
}

struct rsp_segment {
	size_t len, cap;
	size_t record_bytes_max; /* size of the largest record in the segment */
	uint8_t bytes[];
};

static inline struct cpu *cpu_of(struct rsp_coder *c, uint16_t cpu)
{
	return &c->now.cpus[cpu & ((1 << CPU_BITS) - 1)];
}

static inline uint32_t encode_header(struct rsp_coder *c, const struct rsp_ev_hdr *hdr,
				     unsigned int row, uint8_t **p)
{
	uint32_t codes = 0;
	uint64_t diff_ns;

	if (hdr->cpu != c->now.cpu) {
		c->now.cpu = hdr->cpu;
		put(p, hdr->cpu, sizeof(hdr->cpu));
		codes |= OTHER_CPU;
	}
	if (hdr->size != c->now.sizes[row]) {
		bool is_long = hdr->size / 8 > UINT8_MAX;

		c->now.sizes[row] = hdr->size;
		put(p, hdr->size / 8, is_long ? 2 : 1);
		codes |= is_long ? LONG_SIZE : OTHER_SIZE;
	}
	diff_ns = hdr->ts_ns - cpu_of(c, hdr->cpu)->ts_ns;
	put(p, diff_ns, bytes_of(diff_ns));
	return codes | bytes_of(diff_ns);
}

static inline void decode_header(struct rsp_coder *c, uint64_t pattern, unsigned int row,
				 struct rsp_ev_hdr *ret, const uint8_t **p)
{
	uint32_t codes = (uint32_t)(pattern >> 32);

	if (codes & OTHER_CPU)
		c->now.cpu = (uint16_t)get(p, sizeof(c->now.cpu));
	if (codes & (OTHER_SIZE | LONG_SIZE))
		c->now.sizes[row] = (uint16_t)(8 * get(p, codes & LONG_SIZE ? 2 : 1));
	*ret = (struct rsp_ev_hdr){
		.ts_ns = cpu_of(c, c->now.cpu)->ts_ns + get(p, codes & 15),
		.kind = (uint16_t)pattern,
		.size = c->now.sizes[row],
		.cpu = c->now.cpu,
		.flags = (uint16_t)(pattern >> 16),
	};
}

int rsp_segment_append(struct rsp_segment *seg, struct rsp_coder *c, const struct rsp_ev_hdr *rec)
{
	unsigned int row = row_of(rec->kind);
	struct expectation e = {.kind = &kinds[row],
				.tail_words = rec->size / 8u - kinds[row].head_words};
	uint32_t what = rec->kind | (uint32_t)rec->flags << 16, codes;
	uint8_t fields[8 * HEAD_WORDS_MAX + 32], *end = fields;
	uint8_t *out = seg->bytes + seg->len;

	if (encoded_bytes_max(rec->size) > seg->cap - seg->len)
		return -ENOSPC;
	codes = encode_header(c, rec, row, &end);
	e.cpu = cpu_of(c, rec->cpu);
	codes |= encode_head(c, &e, what, rec, &end);
	put_pattern(c, what | (uint64_t)codes << 32, &out);
	memcpy(out, fields, (size_t)(end - fields));
	out += end - fields;
	encode_tail(c, (const char *)rec + 8 * e.kind->head_words, e.tail_words, &out);
	e.cpu->ts_ns = rec->ts_ns;
	learn_event(&e, rec->kind, rec->flags);
	if (rec->size > seg->record_bytes_max)
		seg->record_bytes_max = rec->size;
	seg->len = (size_t)(out - seg->bytes);
	return 0;
}

static inline size_t decode(struct rsp_coder *c, const uint8_t **p, void *ret)
{
	uint64_t pattern = get_pattern(c, p);
	unsigned int row = row_of((uint16_t)pattern);
	struct expectation e = {.kind = &kinds[row]};
	struct rsp_ev_hdr *hdr = ret;

	decode_header(c, pattern, row, hdr, p);
	e.tail_words = hdr->size / 8u - e.kind->head_words;
	e.cpu = cpu_of(c, hdr->cpu);
	decode_head(c, &e, (uint32_t)pattern, (uint32_t)(pattern >> 32), ret, p);
	decode_tail(c, (char *)ret + 8 * e.kind->head_words, e.tail_words, p);
	e.cpu->ts_ns = hdr->ts_ns;
	learn_event(&e, hdr->kind, hdr->flags);
	return hdr->size;
}

size_t rsp_segment_read(const struct rsp_segment *seg, struct rsp_coder *c, size_t *pos, void *buf,
			size_t len)
{
	const uint8_t *p = seg->bytes + *pos, *end = seg->bytes + seg->len;
	size_t done = 0;

	while (p < end && len - done >= seg->record_bytes_max)
		done += decode(c, &p, (char *)buf + done);
	*pos = (size_t)(p - seg->bytes);
	return done;
}

/* --- memory --------------------------------------------------------------------------------- */

int rsp_segment_new(size_t cap_bytes, struct rsp_segment **ret)
{
	struct rsp_segment *seg;

	if (cap_bytes < RSP_SEGMENT_BYTES_MIN)
		return -EINVAL;
	seg = malloc(sizeof(*seg) + cap_bytes);
	if (!seg)
		return -ENOMEM;
	seg->cap = cap_bytes;
	rsp_segment_clear(seg);
	*ret = seg;
	return 0;
}

struct rsp_segment *rsp_segment_free(struct rsp_segment *seg)
{
	free(seg);
	return NULL;
}

void rsp_segment_clear(struct rsp_segment *seg)
{
	seg->len = 0;
	seg->record_bytes_max = 0;
}

size_t rsp_segment_bytes(const struct rsp_segment *seg)
{
	return seg->len;
}

/*
 * Sets the pointers to the tables in data, and returns the total size of the tables. Tables with
 * elements of eight bytes come first, so that all tables are aligned.
 */
static size_t lay_out(struct rsp_coder *c)
{
	const struct {
		void **table;
		size_t bytes;
	} tables[] = {
		{(void **)&c->by_key, sizeof(*c->by_key) << KEY_BITS},
		{(void **)&c->by_order, sizeof(*c->by_order) << ORDER_BITS},
		{(void **)&c->values, sizeof(*c->values) << VALUE_BITS},
		{(void **)&c->tails, sizeof(*c->tails) << TAIL_BITS},
		{(void **)&c->patterns, sizeof(*c->patterns) << PATTERN_BITS},
		{(void **)&c->rank_of, sizeof(*c->rank_of) << PATTERN_BITS},
		{(void **)&c->ranked, sizeof(*c->ranked) << PATTERN_BITS},
		{(void **)&c->pattern_slots, sizeof(*c->pattern_slots) << (PATTERN_BITS + 1)},
	};
	char *end = (char *)c->data;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		*tables[i].table = end;
		end += tables[i].bytes >> c->halvings;
	}
	return (size_t)(end - (char *)c->data);
}

static size_t data_bytes(unsigned int halvings)
{
	struct rsp_coder c = {.halvings = halvings};

	return lay_out(&c);
}

size_t rsp_coder_bytes(unsigned int halvings)
{
	return sizeof(struct rsp_coder) + data_bytes(halvings);
}

int rsp_coder_new(unsigned int halvings, struct rsp_coder **ret)
{
	struct rsp_coder *c;

	if (halvings > RSP_CODER_HALVINGS_MAX)
		return -EINVAL;
	c = calloc(1, rsp_coder_bytes(halvings));
	if (!c)
		return -ENOMEM;
	c->halvings = halvings;
	lay_out(c);
	*ret = c;
	return 0;
}

struct rsp_coder *rsp_coder_free(struct rsp_coder *c)
{
	free(c);
	return NULL;
}

void rsp_coder_reset(struct rsp_coder *c)
{
	memset(c->data, 0, data_bytes(c->halvings));
	memset(&c->now, 0, sizeof(c->now));
}

static size_t now_bytes(void)
{
	return (sizeof(((struct rsp_coder *)0)->now) + 7) / 8 * 8;
}

size_t rsp_coder_learned_bytes(unsigned int halvings)
{
	return now_bytes() + (data_bytes(halvings) + 7) / 8 * 8;
}

void rsp_coder_save(const struct rsp_coder *c, void *ret)
{
	memcpy(ret, &c->now, sizeof(c->now));
	memcpy((char *)ret + now_bytes(), c->data, data_bytes(c->halvings));
}

void rsp_coder_restore(struct rsp_coder *c, const void *from)
{
	memcpy(&c->now, from, sizeof(c->now));
	memcpy(c->data, (const char *)from + now_bytes(), data_bytes(c->halvings));
}

void rsp_coder_assign(struct rsp_coder *c, const struct rsp_coder *from)
{
	assert(c->halvings == from->halvings);
	memcpy(c->data, from->data, data_bytes(c->halvings));
	c->now = from->now;
}
