/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the shape of a user stack: the positions of the words on which its frames depend. If two
 * stacks have the same registers, and the same words at these positions, unwinding gives the same
 * frames. So the second stack need not be unwound.
 */
#ifndef RSP_SHAPE_BPF_H
#define RSP_SHAPE_BPF_H

#include "bpf/rsp.bpf.h"

/* Maximum number of words in a shape. A stack whose frames depend on more words has no shape. */
#define SHAPE_WORDS_MAX 44

/* Maximum size of the part of the stack that a shape covers, in words. */
#define SHAPE_SPAN_MAX 512

/* Stands for the frame pointer register, in place of a position on the stack. */
#define SHAPE_FP 0xffff

struct rsp_shape {
	__u32 hash;
	__u16 cnt;  /* number of positions; 0: no shape is known */
	__u16 span; /* number of words from the stack pointer up to the last position */
	__u16 at[SHAPE_WORDS_MAX]; /* positions: distances from the stack pointer, in words */
};

/*
 * Two call paths of the same depth may have different shapes, for example with and without frame
 * pointers. The newer shape comes first.
 */
#define RSP_SHAPES_PER_PLACE 2

struct rsp_shapes {
	struct rsp_shape v[RSP_SHAPES_PER_PLACE];
};

extern struct rsp_shapes_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_shapes);
} rsp_shapes SEC(".maps");

static __always_inline struct rsp_shapes *shapes_of(__u64 key)
{
	return slot_in(rsp_shapes, key);
}

/* A copy of the words of a stack, beginning at the stack pointer. */
struct rsp_words {
	__u64 words[SHAPE_SPAN_MAX];
};

/* fp: the frame pointer register. */
static __always_inline __u64 sum_of_shape(const struct rsp_shape *shape,
					  const struct rsp_words *stack, __u64 fp)
{
	__u32 cnt = shape->cnt;
	__u64 sum = 0;

	for (__u32 i = 0; i < SHAPE_WORDS_MAX; i++) {
		__u32 at;

		if (i >= cnt)
			break;
		at = shape->at[i];
		sum = sum_word(sum, at == SHAPE_FP ? fp : stack->words[at & (SHAPE_SPAN_MAX - 1)]);
	}
	return sum;
}

/* --- while a stack is unwound ----------------------------------------------------------------- */

struct rsp_noted {
	struct rsp_shape shape;
	__u64 sum;
	__u64 sp; /* stack pointer at the beginning of the unwinding */
	/*
	 * address on the stack from which the current frame pointer was read; 0: it is still in its
	 * register
	 */
	__u64 fp_at;
	bool is_lost; /* 1: the frames depend on more data, so the stack has no shape */
};

static __always_inline void begin_notes(struct rsp_noted *noted, __u64 sp)
{
	noted->shape.cnt = noted->shape.span = noted->shape.hash = 0;
	noted->sum = 0;
	noted->sp = sp;
	noted->fp_at = 0;
	noted->is_lost = false;
}

static __always_inline void note_nothing_more(struct rsp_noted *noted)
{
	noted->is_lost = true;
}

static __always_inline void note(struct rsp_noted *noted, __u32 at, __u64 word)
{
	__u32 cnt = noted->shape.cnt;

	if (cnt >= SHAPE_WORDS_MAX) {
		noted->is_lost = true;
		return;
	}
	noted->shape.at[cnt] = at;
	noted->shape.cnt = cnt + 1;
	noted->shape.hash = mix(noted->shape.hash, at);
	noted->sum = sum_word(noted->sum, word);
}

static __always_inline void note_word(struct rsp_noted *noted, __u64 address, __u64 word)
{
	__u64 at = (address - noted->sp) / sizeof(word);

	if (at >= SHAPE_SPAN_MAX) {
		noted->is_lost = true;
		return;
	}
	if (noted->shape.span <= at)
		noted->shape.span = at + 1;
	note(noted, at, word);
}

/*
 * Called before a rule uses the frame pointer. Most functions only save the frame pointer, so it is
 * not added to the shape when it is read from the stack.
 */
static __always_inline void note_fp(struct rsp_noted *noted, __u64 fp)
{
	if (noted->fp_at)
		note_word(noted, noted->fp_at, fp);
	else
		note(noted, SHAPE_FP, fp);
}

static __always_inline bool is_whole(const struct rsp_noted *noted)
{
	return !noted->is_lost && noted->shape.cnt;
}

#endif
