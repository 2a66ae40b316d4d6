/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel stacks without unwinding. How far the caller's return address lies behind a function's own
 * follows from where the function was left, as the kernel's own unwinder (ORC) has it in its
 * tables; here it is learned from stacks that were unwound, per return address. A walk from one
 * return address to the next takes some nanoseconds a frame where the kernel takes a hundred. Where
 * the distance varies (a stack offset by chance, variables of varying size) it may be fixed from
 * the stack's other end; else such stacks are always unwound.
 *
 * Walks that lead to the same return addresses lead to the id that these had when they were
 * unwound. One in RSP_WALK_CHECK_INTERVAL is unwound as well: what differs is counted and learned.
 */
#ifndef RSP_WALK_BPF_H
#define RSP_WALK_BPF_H

#include "typed.bpf.h"

#define WORDS	   1024 /* deeper ones are unwound */
#define FRAMES_MAX 64

#define PAGE_BYTES  4096ULL
#define STACK_PAGES 4 /* of a task and of interrupts alike, on x86-64 */
#define STACK_BYTES (STACK_PAGES * PAGE_BYTES)

/* Enough for a wakeup by a packet that its sender itself brings to the receiver. */
#define KNOWN_FRAMES_MAX 50

enum distance {
	DISTANCE_UNKNOWN,
	DISTANCE_FORWARD,  /* that many words on */
	DISTANCE_FROM_END, /* that many words before the stack's beginning */
	DISTANCE_NONE,	   /* it was the last */
	DISTANCE_VARIES,
};

/* Of one return address, in one word: who reads it while another writes sees either. */
#define DISTANCE(address, kind, changes, forward, from_end)                                        \
	((__u64)(__u32)(address) | (__u64)(kind) << 32 | (__u64)(changes) << 36 |                  \
	 (__u64)((forward)&4095) << 40 | (__u64)((from_end)&4095) << 52)
#define DISTANCE_KIND(d)     ((d) >> 32 & 15)
#define DISTANCE_CHANGES(d)  ((d) >> 36 & 15)
#define DISTANCE_FORWARD(d)  ((d) >> 40 & 4095)
#define DISTANCE_FROM_END(d) ((d) >> 52 & 4095)

/* A few changes are only that an old copy of the address lay in between. */
#define CHANGES_MAX 15

#define DISTANCE_SLOTS (1 << 14)
#define WALKED_SLOTS   (1 << 14)

static __u64 distances[DISTANCE_SLOTS];

struct walked {
	__u64 check; /* of the hash of the return addresses */
	__u64 id;
};

static struct walked walked_before[WALKED_SLOTS];

struct walk {
	__u64 interrupt_end; /* of this CPU's stack for interrupts: its last word; 0: unknown */
	__u64 first, rest;   /* the stack's pieces */
	__u64 first_cnt;     /* words of the first; 0: there is one */
	__u64 cnt;	     /* of words; 0: too many */
	__u64 words[WORDS];
	__u32 frame_cnt;		       /* that the walk found, … */
	__u16 frames_at[KNOWN_FRAMES_MAX + 1]; /* … and the words where they were */
	/* while learning: */
	__u64 address; /* the last that was found */
	__u64 hash;    /* of all found */
	__u32 at;      /* where the last was found */
	__u32 next;    /* frame to find */
	__u32 skip_to; /* the word where it is */
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
 * Interrupts have a stack per CPU, mapped with nothing behind it. Its last word is where the stack
 * of what was interrupted goes on (arch/x86/include/asm/irq_stack.h: call_on_stack). The variable
 * that tells where it is has moved twice, and not every kernel lets programs see it; so the end is
 * looked for, once.
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
 * Where the words of a stack lie: from one address to another, or from there to the end of the
 * stack that interrupts have and on that of the task. None if there are too many.
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

/* The pieces one behind the other. */
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

/* A few words of many: where the kernel lets programs read them in place that is faster. */
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

/* The hash of the return addresses on the stack, 0: it leads nowhere. */
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
		if (at + 1 == w->cnt) /* beneath the registers of the entry from user code */
			return hash;
	}
	return 0;
}

/* --- stacks as before -------------------------------------------------------------------------
 *
 * A task at the same place has mostly the same return addresses at the same places of its stack.
 * That takes no walk from one to the next: the places were remembered when they were walked, and a
 * sum over what lies there tells whether it is the same. The last return address lies at the end of
 * the stack, the others at fixed distances from its beginning, or from where it goes on behind that
 * of interrupts.
 */

struct known_stack {
	__u64 check; /* of the sum over the return addresses */
	__u64 id;
	__u32 epoch;	/* in which its record was sent */
	__u8 frame_cnt; /* without the last; 0: nothing is known */
	__u8 first_cnt; /* as many lie on the stack of interrupts, if it has two pieces */
	__u16 frames_at[KNOWN_FRAMES_MAX]; /* bytes */
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
	__u32 slot = key >> 32 & rsp_slot_mask;

	return bpf_map_lookup_elem(&rsp_known_stacks, &slot);
}

static __always_inline __u64 sum_word(__u64 sum, __u64 word)
{
	return (sum ^ word) * 0x9e3779b97f4a7c15ULL;
}

/* Where the stack goes on behind that of interrupts; from: it is in one piece. 0: that is unknown.
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
 * The sum over what lies where the return addresses of a known stack lay. Most stacks are in one
 * piece: their loop is the one that needs fewer registers, of which a cast keeps only four.
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
 * The id of the kernel stack that lies from one address to another, if it is the one that is known
 * under the key and was sent in this epoch; 0: it is not.
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

/* As it was just walked. */
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
 * The id of the kernel stack that lies from one address to another; 0: it has to be unwound. It is
 * remembered under the key.
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

/* Where the next address is to be by what is known of the one at a word, 0: nothing. */
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
	/* An old copy may lie before where it is expected to be. */
	at = expected(w, word, i);
	w->skip_to = next < RSP_STACK_FRAMES_MAX && w->words[at & (WORDS - 1)] == frames[next] ? at
											       : 0;
	return 0;
}

/*
 * Finds the frames of a stack just unwound, which lie in the scratch memory of the scheduler's
 * level, among the words from one address to another, and remembers how they follow.
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
