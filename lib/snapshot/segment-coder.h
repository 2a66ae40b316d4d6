/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a coder, and the encoding of values and patterns as bytes, for segment.c. A
 * collision in a table only causes a wrong prediction: the reader learns the same from the same
 * records as the writer, so both predict the same.
 */
#ifndef RSP_LIB_SEGMENT_CODER_H
#define RSP_LIB_SEGMENT_CODER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "rsp/event.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "low bytes first, in values and in words of two fields"
#endif

#define HEAD_WORDS_MAX 8

/*
 * Numbers of entries of the tables, as powers of two. A coder takes 908 KiB. In a window of 64 MiB,
 * the tables are half as large, and a coder takes 460 KiB, which fits into a second-level cache.
 */
#define CPU_BITS     8
#define KEY_BITS     13
#define ORDER_BITS   12
#define VALUE_BITS   14
#define TAIL_BITS    14
#define PATTERN_BITS 12

/*
 * Patterns are written as ranks. A rank below SHORT_PATTERNS takes one byte. A first byte of
 * SHORT_PATTERNS or more begins a rank of two bytes, or, if it is NEW_PATTERN, a new pattern.
 */
#define SHORT_PATTERNS 224
#define NEW_PATTERN    255

_Static_assert(SHORT_PATTERNS + (NEW_PATTERN - SHORT_PATTERNS) * 256 >= 1 << PATTERN_BITS,
	       "each pattern has a number of two bytes");

/* The first words of a record of one kind, without the two words of the header. */
struct image {
	uint64_t w[HEAD_WORDS_MAX - 2];
};

/* The field of the CPU's next event that will probably contain the id of a name. */
enum fresh { FRESH_KSTACK, FRESH_USTACK, FRESH_OBJECT, FRESH_CNT };

struct cpu {
	uint64_t ts_ns;
	uint32_t current_tid;
	uint32_t last;		   /* hash of the CPU's last event */
	uint64_t fresh[FRESH_CNT]; /* ids of the names sent since this event; 0: none */
	bool has_fresh;
};

struct rsp_coder {
	unsigned int halvings;
	/* The tables, which lie in data. All bytes are 0 until the coder learns. */
	struct image *by_key;
	struct image *by_order;
	uint64_t *values; /* values that were mispredicted */
	uint64_t *tails;
	uint64_t *patterns;	 /* 16 bits kind, 16 bits flags, 32 bits codes */
	uint16_t *rank_of;	 /* [pattern]: its rank */
	uint16_t *ranked;	 /* [rank]: pattern */
	uint16_t *pattern_slots; /* hash table of patterns: index in patterns, plus 1 */
	/* The data that the coder learns besides the tables. */
	struct {
		struct cpu cpus[1 << CPU_BITS];
		uint16_t pattern_cnt;
		uint16_t demoted; /* the short rank that was last given to another pattern */
		uint16_t cpu;
		uint16_t sizes[RSP_EV_KIND_MAX];
	} now;
	uint64_t data[];
};

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	return (a ^ b * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;
}

/* --- values --------------------------------------------------------------------------------- */

/*
 * Code of a word of 64 bits: equal to one of two predictions (A, B), an entry of the table of
 * values, or the difference from a prediction, of 1 to 8 bytes.
 */
enum word_code {
	WORD_A = 0,
	WORD_B = 1,
	WORD_VALUE = 2,
	WORD_DIFF = 2, /* plus the number of bytes of the difference */
};

/* Code of a field of 32 bits. The code has two bits, so there is no code for a difference. */
enum half_code {
	HALF_A = 0,
	HALF_B = 1,
	HALF_VALUE = 2,
	HALF_RAW = 3,
};

/*
 * Number of bytes of an index into the table of values. A word of 64 bits with a difference of
 * VALUE_BYTES or fewer bytes is not put into the table, since its index would be no shorter.
 */
#define VALUE_BYTES 2

/* Writes eight bytes and advances by n: the next value overwrites the other bytes. */
static inline void put(uint8_t **p, uint64_t v, unsigned int n)
{
	memcpy(*p, &v, sizeof(v));
	*p += n;
}

static inline uint64_t get(const uint8_t **p, unsigned int n)
{
	uint64_t v;

	memcpy(&v, *p, sizeof(v));
	*p += n;
	return n < sizeof(v) ? v & ((1ULL << 8 * n) - 1) : v;
}

static inline uint64_t zigzag(uint64_t diff)
{
	return diff << 1 ^ -(diff >> 63);
}

static inline uint64_t unzigzag(uint64_t z)
{
	return z >> 1 ^ -(z & 1);
}

static inline unsigned int bytes_of(uint64_t v)
{
	return v ? (71 - (unsigned int)__builtin_clzll(v)) / 8 : 0;
}

/*
 * A value whose slot a later value took is in the adjacent slot, if no other value took this slot.
 */
static inline unsigned int value_slot(const struct rsp_coder *c, uint64_t v)
{
	return (unsigned int)(mix(v, v >> 32) >> (64 - VALUE_BITS + c->halvings));
}

static inline void learn_value(struct rsp_coder *c, uint64_t v)
{
	unsigned int slot = value_slot(c, v);

	c->values[slot ^ 1] = c->values[slot];
	c->values[slot] = v;
}

static inline bool find_value(const struct rsp_coder *c, uint64_t v, unsigned int *ret_slot)
{
	unsigned int slot = value_slot(c, v);

	if (c->values[slot] != v)
		slot ^= 1;
	*ret_slot = slot;
	return c->values[slot] == v;
}

static inline unsigned int encode_word(struct rsp_coder *c, uint64_t v, uint64_t a, uint64_t b,
				       uint64_t base, uint8_t **p)
{
	uint64_t diff = zigzag(v - base);
	unsigned int bytes = bytes_of(diff | 1), slot;

	if (v == a)
		return WORD_A;
	if (v == b)
		return WORD_B;
	if (bytes > VALUE_BYTES) {
		if (find_value(c, v, &slot)) {
			put(p, slot, VALUE_BYTES);
			return WORD_VALUE;
		}
		learn_value(c, v);
	}
	put(p, diff, bytes);
	return WORD_DIFF + bytes;
}

static inline uint64_t decode_word(struct rsp_coder *c, unsigned int code, uint64_t a, uint64_t b,
				   uint64_t base, const uint8_t **p)
{
	uint64_t v;

	if (code == WORD_A)
		return a;
	if (code == WORD_B)
		return b;
	if (code == WORD_VALUE)
		return c->values[get(p, VALUE_BYTES)];
	v = base + unzigzag(get(p, code - WORD_DIFF));
	if (code - WORD_DIFF > VALUE_BYTES)
		learn_value(c, v);
	return v;
}

static inline unsigned int encode_half(struct rsp_coder *c, uint32_t v, uint32_t a, uint32_t b,
				       uint8_t **p)
{
	unsigned int slot;

	if (v == a)
		return HALF_A;
	if (v == b)
		return HALF_B;
	if (find_value(c, v, &slot)) {
		put(p, slot, VALUE_BYTES);
		return HALF_VALUE;
	}
	learn_value(c, v);
	put(p, v, sizeof(v));
	return HALF_RAW;
}

static inline uint32_t decode_half(struct rsp_coder *c, unsigned int code, uint32_t a, uint32_t b,
				   const uint8_t **p)
{
	uint32_t v;

	if (code == HALF_A)
		return a;
	if (code == HALF_B)
		return b;
	if (code == HALF_VALUE)
		return (uint32_t)c->values[get(p, VALUE_BYTES)];
	v = (uint32_t)get(p, sizeof(v));
	learn_value(c, v);
	return v;
}

/* --- patterns ------------------------------------------------------------------------------- */

static inline unsigned int pattern_slot(const struct rsp_coder *c, uint64_t pattern)
{
	const unsigned int mask = (2U << (PATTERN_BITS - c->halvings)) - 1;
	unsigned int slot = (unsigned int)(mix(pattern, pattern >> 32) >>
					   (63 - PATTERN_BITS + c->halvings));

	while (c->pattern_slots[slot] && c->patterns[c->pattern_slots[slot] - 1] != pattern)
		slot = (slot + 1) & mask;
	return slot;
}

/* Adds a pattern. A full table is cleared first; frequent patterns soon return to it. */
static inline void add_pattern(struct rsp_coder *c, uint64_t pattern)
{
	uint16_t i;

	if (c->now.pattern_cnt == 1U << (PATTERN_BITS - c->halvings)) {
		memset(c->pattern_slots, 0,
		       sizeof(*c->pattern_slots) << (PATTERN_BITS + 1 - c->halvings));
		c->now.pattern_cnt = 0;
	}
	i = c->now.pattern_cnt++;
	c->pattern_slots[pattern_slot(c, pattern)] = i + 1;
	c->patterns[i] = pattern;
	c->ranked[i] = c->rank_of[i] = i;
}

/*
 * Gives a short rank to a pattern with a long rank, when it is used again. The short ranks are
 * reassigned in turn.
 */
static inline void promote(struct rsp_coder *c, uint16_t i)
{
	uint16_t rank = c->rank_of[i], short_rank, other;

	c->now.demoted = (uint16_t)((c->now.demoted + 1) % SHORT_PATTERNS);
	short_rank = c->now.demoted;
	other = c->ranked[short_rank];
	c->ranked[rank] = other;
	c->rank_of[other] = rank;
	c->ranked[short_rank] = i;
	c->rank_of[i] = short_rank;
}

static inline void put_pattern(struct rsp_coder *c, uint64_t pattern, uint8_t **p)
{
	unsigned int i = c->pattern_slots[pattern_slot(c, pattern)], rank;

	if (i == 0) {
		put(p, NEW_PATTERN, 1);
		put(p, pattern, sizeof(pattern));
		add_pattern(c, pattern);
		return;
	}
	rank = c->rank_of[--i];
	if (rank < SHORT_PATTERNS) {
		put(p, rank, 1);
		return;
	}
	put(p, SHORT_PATTERNS + (rank - SHORT_PATTERNS) / 256, 1);
	put(p, (rank - SHORT_PATTERNS) % 256, 1);
	promote(c, (uint16_t)i);
}

static inline uint64_t get_pattern(struct rsp_coder *c, const uint8_t **p)
{
	unsigned int rank = (unsigned int)get(p, 1), i;
	uint64_t pattern;

	if (rank < SHORT_PATTERNS)
		return c->patterns[c->ranked[rank]];
	if (rank == NEW_PATTERN) {
		pattern = get(p, sizeof(pattern));
		add_pattern(c, pattern);
		return pattern;
	}
	rank = SHORT_PATTERNS + (rank - SHORT_PATTERNS) * 256 + (unsigned int)get(p, 1);
	i = c->ranked[rank];
	promote(c, (uint16_t)i);
	return c->patterns[i];
}

#endif
