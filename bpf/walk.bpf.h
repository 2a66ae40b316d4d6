/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the frames of kernel stacks without unwinding. A return address usually determines the
 * distance on the stack to the caller's return address. The programs learn these distances from
 * stacks that the kernel has unwound. If a distance varies (random stack offset, variables of
 * varying size), the distance from the end of the stack may still be fixed. If both vary, the stack
 * is always unwound.
 *
 * A table maps the hash of a stack's return addresses to the id that the stack had when the kernel
 * unwound it. One in RSP_WALK_CHECK_INTERVAL walked stacks is also unwound. If the ids differ, the
 * stack is learned again.
 */
#ifndef RSP_WALK_BPF_H
#define RSP_WALK_BPF_H

#include "bpf/typed.bpf.h"

#define WORDS	   1024 /* maximum number of words of a stack; larger stacks are unwound */
#define FRAMES_MAX 64

#define PAGE_BYTES  4096ULL
#define STACK_PAGES 4 /* number of pages of task stacks and interrupt stacks on x86-64 */
#define STACK_BYTES (STACK_PAGES * PAGE_BYTES)

/*
 * Sufficient for a wakeup over loopback, where the stack of the sender also contains the receiving
 * functions.
 */
#define KNOWN_FRAMES_MAX 50

enum distance {
	DISTANCE_UNKNOWN,
	DISTANCE_FORWARD, /* measured forward, from this return address to the next */
	/* measured backward, from the end of the stack to the next return address */
	DISTANCE_FROM_END,
	DISTANCE_NONE, /* this return address is the last of the stack */
	DISTANCE_VARIES,
};

/*
 * Packed into one word: a reader then sees either the old or the new distance, even if another CPU
 * writes at the same time.
 */
#define DISTANCE(address, kind, changes, forward, from_end)                                        \
	((__u64)(__u32)(address) | (__u64)(kind) << 32 | (__u64)(changes) << 36 |                  \
	 (__u64)((forward)&4095) << 40 | (__u64)((from_end)&4095) << 52)
#define DISTANCE_KIND(d)     ((d) >> 32 & 15)
#define DISTANCE_CHANGES(d)  ((d) >> 36 & 15)
#define DISTANCE_FORWARD(d)  ((d) >> 40 & 4095)
#define DISTANCE_FROM_END(d) ((d) >> 52 & 4095)

/*
 * After this number of changes, a distance counts as varying. If an old copy of the next return
 * address lies in between, a wrong distance is learned first. So a distance that changed a few
 * times may still be fixed.
 */
#define CHANGES_MAX 15

#define DISTANCE_SLOTS (1 << 14)
#define WALKED_SLOTS   (1 << 14)

static __u64 distances[DISTANCE_SLOTS];

struct walked {
	__u64 check; /* seal() of id, with the hash of the return addresses as key */
	__u64 id;
};

static struct walked walked_before[WALKED_SLOTS];

struct walk {
	/* address of the last word of this CPU's interrupt stack; 0: unknown */
	__u64 interrupt_end;
	__u64 first, rest; /* addresses of the two pieces of the stack (find_pieces()) */
	/* number of words in the first piece; 0: the stack is one piece, at `rest` */
	__u64 first_cnt;
	__u64 cnt; /* number of words in both pieces; 0: the stack cannot be walked */
	__u64 words[WORDS];
	__u32 frame_cnt;
	__u16 frames_at[KNOWN_FRAMES_MAX + 1]; /* [frame]: index of its word */
	/* The following members are used only while learning. */
	__u64 address; /* last return address found */
	__u64 hash;    /* hash of all return addresses found */
	__u32 at;      /* index of the last word found */
	__u32 next;    /* number of the frame to find */
	__u32 skip_to; /* index of the word at which frame `next` is expected; 0: unknown */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct walk);
} rsp_walks SEC(".maps");

static __always_inline struct walk *this_walk(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rsp_walks, &zero);
}

static __always_inline __u64 *distance_of(__u64 address)
{
	return &distances[(__u32)address * 0x9e3779b1U >> 18 & (DISTANCE_SLOTS - 1)];
}

/*
 * Returns the address of the last word of this CPU's interrupt stack; 0: unknown. An unmapped page
 * follows this stack. The last word of the stack contains the address at which the interrupted
 * stack continues (arch/x86/include/asm/irq_stack.h: call_on_stack). Some kernels do not let
 * programs read the variable with the address of the stack, so this function searches for its end.
 */
static __always_inline __u64 find_interrupt_stack(__u64 from, __u64 to)
{
	__u64 end = (from | (PAGE_BYTES - 1)) + 1, rest, beyond;

	for (int page = 0; page < STACK_PAGES; page++, end += PAGE_BYTES) {
		if (bpf_probe_read_kernel(&rest, sizeof(rest), (void *)(end - sizeof(rest))))
			return 0;
		if (to - rest < STACK_BYTES &&
		    bpf_probe_read_kernel(&beyond, sizeof(beyond), (void *)end))
			return end - sizeof(rest);
	}
	return 0;
}

/*
 * Finds the memory of a kernel stack that begins at `from` and ends at `to`. In an interrupt, the
 * stack has two pieces: the first piece lies on the CPU's interrupt stack, the rest on the task's
 * stack. Sets cnt to 0 if the stack cannot be walked.
 */
static __always_inline void find_pieces(struct walk *w, __u64 from, __u64 to)
{
	__u64 len = to - from, rest;

	w->cnt = 0;
	w->first = w->rest = from;
	w->first_cnt = 0;
	if (len >= STACK_BYTES) {
		len = w->interrupt_end - from;
		if (len >= STACK_BYTES) {
			w->interrupt_end = find_interrupt_stack(from, to);
			return;
		}
		if (len >= sizeof(w->words) / 2 ||
		    bpf_probe_read_kernel(&rest, sizeof(rest), (void *)w->interrupt_end))
			return;
		w->first_cnt = len / sizeof(__u64);
		w->rest = rest;
		len = to - rest;
		if (len > sizeof(w->words) / 2)
			return;
	}
	if (len <= sizeof(w->words))
		w->cnt = w->first_cnt + len / sizeof(__u64);
}

static __always_inline bool copy_words(struct walk *w)
{
	__u64 first = w->first_cnt, rest = w->cnt - first;

	if (first > WORDS / 2 || rest > WORDS || first + rest > WORDS)
		return false;
	if (first && bpf_probe_read_kernel(w->words, first * sizeof(__u64), (void *)w->first))
		return false;
	if (first)
		return rest <= WORDS / 2 &&
		       !bpf_probe_read_kernel(&w->words[first], rest * sizeof(__u64),
					      (void *)w->rest);
	return !bpf_probe_read_kernel(w->words, rest * sizeof(__u64), (void *)w->rest);
}

/* A walk reads only a few words, so plain loads are faster than a copy of the whole stack. */
static __always_inline __u64 word_at(const struct walk *w, __u32 at)
{
	__u64 address = at < w->first_cnt ? w->first : w->rest - w->first_cnt * sizeof(__u64);

	if (!rsp_reads_in_place)
		return w->words[at & (WORDS - 1)];
	return word_in_place(address + at * sizeof(__u64));
}

static __always_inline struct walked *walked_slot(__u64 hash)
{
	return &walked_before[hash >> 32 & (WALKED_SLOTS - 1)];
}

/*
 * site: stands for the return address before the first (kstack.bpf.h). Returns the hash of the
 * return addresses, or 0 if the walk fails.
 */
static __always_inline __u64 walk(struct walk *w, __u32 site)
{
	__u64 hash = rsp_secret, address = site, distance;
	__u32 at = 0;

	w->frame_cnt = 0;
	for (int i = 0; i < FRAMES_MAX; i++) {
		distance = *distance_of(address);
		if ((__u32)distance != (__u32)address)
			return 0;
		if (DISTANCE_KIND(distance) == DISTANCE_FORWARD)
			at += DISTANCE_FORWARD(distance);
		else if (DISTANCE_KIND(distance) == DISTANCE_FROM_END)
			at = w->cnt - DISTANCE_FROM_END(distance);
		else
			return DISTANCE_KIND(distance) == DISTANCE_NONE ? hash : 0;
		if (at >= w->cnt)
			return 0;
		address = word_at(w, at);
		hash = mix(hash, address);
		if (i <= KNOWN_FRAMES_MAX)
			w->frames_at[i] = at;
		w->frame_cnt = i + 1;
		if (at + 1 ==
		    w->cnt) /* last word of the stack: the registers saved on entry follow */
			return hash;
	}
	return 0;
}

/*
 * --- stacks seen before -----------------------------------------------------------------------
 *
 * At the same place in the kernel, a task mostly has the same return addresses at the same
 * positions of its stack. A walk remembers these positions. At the next visit, a hash of the words
 * at these positions shows whether the stack is the same. The last return address lies at the end
 * of the stack. The positions of the others are relative to the beginning of their piece.
 */

struct known_stack {
	__u64 check; /* seal() of id, with sum_of() as key */
	__u64 id;
	__u32 epoch;	/* epoch in which the record of the stack was sent */
	__u8 frame_cnt; /* number of frames without the last one; 0: no stack is known */
	__u8 first_cnt; /* number of frames on the interrupt stack */
	/* [frame]: offset of its return address in its piece, in bytes */
	__u16 frames_at[KNOWN_FRAMES_MAX];
	__u16 pad[3];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct known_stack);
} rsp_known_stacks SEC(".maps");

static __always_inline struct known_stack *known_slot(__u64 key)
{
	return slot_in(rsp_known_stacks, key);
}

/*
 * Returns the address at which the stack continues after the interrupt stack; 0: unknown. If the
 * stack is one piece, returns `from`.
 */
static __always_inline __u64 rest_of(const struct walk *w, __u64 from, __u64 to)
{
	__u64 rest;

	if (to - from < STACK_BYTES)
		return from;
	if (w->interrupt_end - from >= STACK_BYTES)
		return 0;
	rest = word_in_place(w->interrupt_end);
	return to - rest < STACK_BYTES ? rest : 0;
}

/*
 * Most stacks are one piece. A separate loop for them is faster, since its variables fit into the
 * four registers that calls of bpf_rdonly_cast() preserve.
 */
static __always_inline __u64 sum_of(const struct known_stack *known, __u64 key, __u64 from,
				    __u64 rest, __u64 to)
{
	__u64 sum = sum_word(key ^ known->frame_cnt, word_in_place(to - sizeof(__u64)));
	__u32 cnt = known->frame_cnt;

	if (rest == from) {
		for (__u32 i = 0; i < KNOWN_FRAMES_MAX; i++) {
			if (i >= cnt)
				break;
			sum = sum_word(sum, word_in_place(from + known->frames_at[i]));
		}
		return sum;
	}
	for (__u32 i = 0; i < KNOWN_FRAMES_MAX; i++) {
		if (i >= cnt)
			break;
		sum = sum_word(sum, word_in_place((i < known->first_cnt ? from : rest) +
						  known->frames_at[i]));
	}
	return sum;
}

/*
 * Returns the id of the stack that was remembered under the key, if the stack at [from, to) has the
 * same return addresses, and its record was sent in this epoch; else 0.
 */
static __always_inline __u64 known_kernel_stack(__u64 key, __u64 from, __u64 to)
{
	const struct known_stack *known = known_slot(key);
	struct walk *w = this_walk();
	__u64 rest, id;

	if (!rsp_reads_in_place || !w || !known || !known->frame_cnt ||
	    known->epoch != (__u32)rsp_epoch)
		return 0;
	id = known->id;
	rest = rest_of(w, from, to);
	if (!rest || known->check != seal(sum_of(known, key, from, rest, to), id))
		return 0;
	return id;
}

static __always_inline void forget_kernel_stack(__u64 key)
{
	struct known_stack *known = known_slot(key);

	if (known)
		known->frame_cnt = 0;
}

static __always_inline void remember_kernel_stack(const struct walk *w, __u64 key, __u64 id)
{
	struct known_stack *known = known_slot(key);
	__u64 to = w->rest + (w->cnt - w->first_cnt) * sizeof(__u64);
	__u32 frame_cnt = w->frame_cnt - 1;

	if (!known)
		return;
	known->frame_cnt = 0;
	if (!rsp_reads_in_place || frame_cnt > KNOWN_FRAMES_MAX ||
	    w->frames_at[frame_cnt] + 1 != w->cnt)
		return;
	known->first_cnt = 0;
	for (__u32 i = 0; i < KNOWN_FRAMES_MAX; i++) {
		if (i >= frame_cnt)
			break;
		known->first_cnt += w->frames_at[i] < w->first_cnt;
		known->frames_at[i] = (w->frames_at[i] -
				       (w->frames_at[i] < w->first_cnt ? 0 : w->first_cnt)) *
				      sizeof(__u64);
	}
	known->id = id;
	known->epoch = rsp_epoch;
	known->frame_cnt = frame_cnt;
	known->check = seal(sum_of(known, key, w->first, w->rest, to), id);
}

/*
 * Returns the id of the kernel stack at [from, to), or 0 if the stack has to be unwound. If the
 * record of the stack was sent in this epoch, remembers the stack under the key.
 */
__noinline __u64 rsp_walk_kernel(__u32 site, __u64 from, __u64 to, __u64 key)
{
	struct walk *w = this_walk();
	const struct walked *walked;
	__u64 hash, id;

	if (!w)
		return 0;
	find_pieces(w, from, to);
	if (!w->cnt || (!rsp_reads_in_place && !copy_words(w)))
		return 0;
	hash = walk(w, site);
	if (!hash)
		return 0;
	walked = walked_slot(hash);
	id = walked->id;
	if (walked->check != seal(hash, id))
		return 0;
	if (was_sent(id))
		remember_kernel_stack(w, key, id);
	return id;
}

/* --- learning --------------------------------------------------------------------------------- */

static __always_inline void learn_distance(__u64 address, __u32 forward, __u32 from_end)
{
	__u64 *known = distance_of(address), distance = *known;
	__u32 kind = DISTANCE_KIND(distance), changes = DISTANCE_CHANGES(distance);

	if ((__u32)distance != (__u32)address) {
		*known = DISTANCE(address, DISTANCE_FORWARD, 0, forward, from_end);
		return;
	}
	if ((kind == DISTANCE_FORWARD && DISTANCE_FORWARD(distance) == forward) ||
	    (kind == DISTANCE_FROM_END && DISTANCE_FROM_END(distance) == from_end))
		return;
	if (changes == CHANGES_MAX)
		kind = DISTANCE_VARIES;
	else if (DISTANCE_FROM_END(distance) == from_end)
		kind = DISTANCE_FROM_END;
	else
		kind = DISTANCE_FORWARD;
	changes += changes < CHANGES_MAX;
	*known = DISTANCE(address, kind, changes, forward, from_end);
}

static __always_inline void learn_last(__u64 address)
{
	__u64 *known = distance_of(address), distance = *known;
	__u32 changes = DISTANCE_CHANGES(distance);

	if ((__u32)distance != (__u32)address)
		*known = DISTANCE(address, DISTANCE_NONE, 0, 0, 0);
	else if (changes == CHANGES_MAX)
		*known = DISTANCE(address, DISTANCE_VARIES, changes, 0, 0);
	else if (DISTANCE_KIND(distance) != DISTANCE_NONE)
		*known = DISTANCE(address, DISTANCE_NONE, changes + 1, 0, 0);
}

/* Returns the index of the word at which the next return address is expected; 0: unknown. */
static __always_inline __u32 expected(const struct walk *w, __u64 address, __u32 at)
{
	__u64 distance = *distance_of(address);

	if ((__u32)distance != (__u32)address)
		return 0;
	if (DISTANCE_KIND(distance) == DISTANCE_FORWARD)
		return at + DISTANCE_FORWARD(distance);
	if (DISTANCE_KIND(distance) == DISTANCE_FROM_END)
		return w->cnt - DISTANCE_FROM_END(distance);
	return 0;
}

struct lesson {
	struct walk *w;
	struct rsp_scratch *scratch;
};

static long learn_word(__u32 i, struct lesson *lesson)
{
	struct walk *w = lesson->w;
	const __u64 *frames = lesson->scratch->frames;
	__u32 next = w->next, at;
	__u64 word;

	if (i >= WORDS || i >= w->cnt)
		return 1;
	if (i < w->skip_to)
		return 0;
	word = w->words[i];
	if (next >= RSP_STACK_FRAMES_MAX || word != frames[next])
		return 0;
	learn_distance(w->address, i - w->at, w->cnt - i);
	w->address = word;
	w->hash = mix(w->hash, word);
	w->at = i;
	w->next = ++next;
	/*
	 * skip the words before the expected position, which may contain an old copy of the next
	 * address
	 */
	at = expected(w, word, i);
	w->skip_to = next < RSP_STACK_FRAMES_MAX && w->words[at & (WORDS - 1)] == frames[next] ? at
											       : 0;
	return 0;
}

/*
 * Searches the frames of a stack that was just unwound, in the scratch memory of level
 * RSP_SCRATCH_SCHED, among the words at [from, to). Stores the distances between them and, if it
 * finds all frames, the id of the stack.
 */
__noinline int rsp_learn_kernel(__u32 site, __u64 from, __u64 to, __u32 frame_cnt, __u64 id)
{
	struct lesson lesson = {.w = this_walk(), .scratch = scratch_of(RSP_SCRATCH_SCHED)};
	struct walked *walked;
	struct walk *w = lesson.w;

	if (!w || !lesson.scratch)
		return 0;
	find_pieces(w, from, to);
	if (!w->cnt || !copy_words(w))
		return 0;
	w->address = site;
	w->hash = rsp_secret;
	w->at = w->next = w->skip_to = 0;
	bpf_loop(WORDS, learn_word, &lesson, 0);
	if (!frame_cnt || w->next != frame_cnt)
		return 0;
	if (w->at + 1 != w->cnt)
		learn_last(w->address);
	walked = walked_slot(w->hash);
	walked->id = id;
	walked->check = seal(w->hash, id);
	return 0;
}

#endif
