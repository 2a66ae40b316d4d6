/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the id of the current task's user stack in a system call, if the stack equals one that was
 * unwound before. Otherwise, unwind.bpf.c unwinds the stack.
 *
 * A place is identified by the thread, the system call, the instruction pointer, stack pointer and
 * frame pointer, and the process's mappings. If a task had the same stack at a place
 * REPEAT_SAME_MIN times in a row, the program reuses this stack for REPEAT_NS without reading the
 * stack, and then checks the next one. If a stack differs from the stack before, the program reuses
 * no stack at this place for MISTRUST_NS.
 *
 * If no stack is reused, the program compares the words on which the frames depend with those of
 * earlier stacks (shape.bpf.h). This costs more, but is exact while the mappings stay the same.
 */
#ifndef RSP_USTACK_BPF_H
#define RSP_USTACK_BPF_H

#include "bpf/shape.bpf.h"

struct rsp_repeat {
	__u64 check; /* seal() of the key, the id and the epoch */
	__u64 id;
	__u64 until_ns;	   /* the stack is reused until this time; 0: it is not reused */
	__u64 mistrust_ns; /* the stack is not reused before this time */
	__u32 same_cnt;	   /* number of times in a row that the stack had the same id as before */
	__u32 epoch;	   /* epoch in which the record of the stack was sent */
};

/*
 * Direct-mapped. The key is a place (repeat_key()), or a place with the words of the stack
 * (stack_key()).
 */
extern struct rsp_repeats_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_repeat);
} rsp_repeats SEC(".maps");

/*
 * A value that changes when the process executes another program, or when the total size of its
 * executable mappings changes.
 */
#define RSP_SPACE_OF(mm)                                                                           \
	blend(rsp_secret ^ address_of(mm), (mm)->exec_vm, (mm)->mmap_base ^ (mm)->start_stack)

extern __u32 rsp_tables_epoch; /* the daemon increments it when a binary gets or loses its table */

/*
 * Returns a value that stands for the mappings of a process. The value changes with RSP_SPACE_OF(),
 * when any binary gets or loses its unwind table, and about once a second, in case a library
 * replaces another library of the same size.
 */
static __always_inline __u64 space_of(struct mm_struct *mm, __u64 now_ns)
{
	return mix(RSP_SPACE_OF(mm), (now_ns >> 30) << 32 | rsp_tables_epoch);
}

struct rsp_place {
	__u64 pc, sp, fp;
	__s64 call;
	__u32 tid;
};

static __always_inline __u64 repeat_key(__u64 space, const struct rsp_place *place)
{
	return mix(space + blend(place->pc, place->sp, place->fp ^ (__u64)place->call << 48),
		   place->tid);
}

static __always_inline struct rsp_repeat *repeat_of(__u64 key)
{
	return slot_in(rsp_repeats, key);
}

static __always_inline __u64 repeat_check(__u64 key, __u64 id, __u32 epoch)
{
	return seal(key, id + epoch);
}

static __always_inline __u64 repeated(const struct rsp_repeat *last, __u64 key, __u64 now_ns)
{
	__u64 id = last ? last->id : 0;

	if (!id || now_ns >= last->until_ns || last->epoch != (__u32)rsp_epoch ||
	    last->check != repeat_check(key, id, rsp_epoch))
		return 0;
	return id;
}

#define REPEAT_SAME_MIN 32
#define REPEAT_NS	(10 * 1000000ULL)
#define MISTRUST_NS	(10 * 1000000000ULL)

static __always_inline void remember_repeat(__u64 key, __u64 id, __u32 epoch, __u64 now_ns,
					    struct rsp_stack_stats *stats)
{
	struct rsp_repeat *last = repeat_of(key);
	bool known, same;

	if (!last || now_ns < last->mistrust_ns)
		return;
	known = last->check == repeat_check(key, last->id, last->epoch);
	same = known && last->id == id;

	if (known && last->until_ns)
		stats->user_checked_cnt++;
	if (known && !same) {
		stats->user_wrong_cnt += last->until_ns != 0;
		last->mistrust_ns = now_ns + MISTRUST_NS;
	}
	last->same_cnt = same ? last->same_cnt + 1 : 0;
	last->id = id;
	last->epoch = epoch;
	last->until_ns = last->same_cnt >= REPEAT_SAME_MIN ? now_ns + REPEAT_NS : 0;
	last->check = repeat_check(key, id, epoch);
}

/* --- stacks of a known shape ------------------------------------------------------------------ */

/*
 * space: the result of space_of(), which changes once a second, so a stack is reused for about a
 * second at most. The frame pointer is not part of the key: most functions save it without using
 * it.
 */
static __always_inline __u64 known_key(__u64 space, const struct rsp_place *place)
{
	return mix(space + blend(place->pc, place->sp, place->call), place->tid);
}

static __always_inline __u64 stack_key(__u64 place, const struct rsp_shape *shape, __u64 sum)
{
	return mix(place + shape->hash, sum);
}

/*
 * Returns the id of an earlier stack of this place with the same words at the positions of its
 * shape (shape.bpf.h); 0: there is none. buf: memory for a copy of the stack.
 */
static __always_inline __u64 known_user_stack(__u64 key, const struct rsp_place *place,
					      struct rsp_words *buf, __u64 now_ns)
{
	struct rsp_shapes *shapes = shapes_of(key);
	__u64 len, stack, id = 0;

	if (!shapes || !buf)
		return 0;
	for (int i = 0; i < RSP_SHAPES_PER_PLACE && !id; i++) {
		const struct rsp_shape *shape = &shapes->v[i];

		len = shape->span * sizeof(__u64);
		if (!shape->cnt || len > sizeof(*buf) ||
		    bpf_probe_read_user(buf, len, (void *)place->sp))
			return 0;
		stack = stack_key(key, shape, sum_of_shape(shape, buf, place->fp));
		id = repeated(repeat_of(stack), stack, now_ns);
	}
	return id;
}

#define KNOWN_NS (2 * 1000000000ULL) /* longer than a key from space_of() stays the same */

static __always_inline void remember_known(const struct rsp_noted *noted, __u64 key, __u64 id,
					   __u32 epoch, __u64 now_ns)
{
	struct rsp_shapes *shapes = shapes_of(key);
	struct rsp_repeat *last;

	if (!shapes || !is_whole(noted))
		return;
	if (shapes->v[0].hash != noted->shape.hash) {
		shapes->v[1] = shapes->v[0];
		shapes->v[0] = noted->shape;
	}
	key = stack_key(key, &noted->shape, noted->sum);
	last = repeat_of(key);
	if (last)
		*last = (struct rsp_repeat){
			.check = repeat_check(key, id, epoch),
			.id = id,
			.until_ns = now_ns + KNOWN_NS,
			.epoch = epoch,
		};
}

#endif
