/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See trace-parts.h. A table contains each incomplete stack by the hash of its frames. Then each
 * stack is hashed frame by frame. At each frame, a lookup in the table finds the incomplete stacks
 * with exactly these frames.
 */
#include "lib/trace/trace-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/*
 * The frames of a stack that ends early in a scope (struct use), and the stack that continues it.
 */
struct place {
	const struct rsp_ev_stack *whole; /* NULL: unknown */
	__u64 whole_hash;
	bool ambiguous;
};

#define NO_PLACE UINT32_MAX

/* A stack in a scope. The scope is a thread or a process, together with the kernel stack. */
struct use {
	const struct rsp_ev_stack *stack;
	__u64 scope;
	__u32 place; /* NO_PLACE if the stack does not end early */
};

struct completion {
	const struct rsp_trace *trace;
	struct rsp_idmap pending; /* ids of stacks that end early */
	struct {
		size_t *v;
		size_t cnt, cap;
		/* indices of the events whose stack ends early; such events are few */
	} ending;
	/* tids of all threads of the processes in which stacks end early */
	struct rsp_idmap concerns;
	__u32 *images; /* [identity]: the first identity of the same thread and the same program */
	struct {
		struct use *v;
		size_t cnt, cap;
	} uses; /* without duplicates */
	struct {
		struct place *v;
		size_t cnt, cap;
	} places;
	struct rsp_idmap place_of; /* maps a scope and the id of a stack to a place */
	struct rsp_idmap place_at; /* maps a hash of scope and frames to a place */
};

/* --- events --------------------------------------------------------------------------------- */

struct moment {
	__u64 ts_ns, kstack, ustack;
	__u32 tid;
};

static struct moment moment_of(const struct rsp_ev_hdr *hdr)
{
	const void *rec = hdr;
	const struct rsp_ev_switch *sw = rec;
	const struct rsp_ev_waking *waking = rec;
	const struct rsp_ev_sample *sample = rec;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return (struct moment){hdr->ts_ns, sw->kstack, sw->ustack, sw->prev_tid};
	case RSP_EV_WAKING:
		return (struct moment){hdr->ts_ns, waking->kstack, waking->ustack,
				       waking->waker_tid};
	case RSP_EV_SAMPLE:
		return (struct moment){hdr->ts_ns, sample->kstack, sample->ustack, sample->tid};
	}
	return (struct moment){0};
}

static void set_ustack(struct rsp_ev_hdr *hdr, __u64 ustack)
{
	void *rec = hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		((struct rsp_ev_switch *)rec)->ustack = ustack;
		break;
	case RSP_EV_WAKING:
		((struct rsp_ev_waking *)rec)->ustack = ustack;
		break;
	case RSP_EV_SAMPLE:
		((struct rsp_ev_sample *)rec)->ustack = ustack;
		break;
	}
}

/* --- scopes --------------------------------------------------------------------------------- */

static __u64 mix(__u64 hash, __u64 value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 32;
}

static bool same_image(const struct rsp_ev_task *before, const struct rsp_ev_task *task)
{
	return before->tid == task->tid && before->tgid == task->tgid &&
	       before->start_ns == task->start_ns &&
	       !(task->hdr.flags & (RSP_TASK_EXEC | RSP_TASK_FORK));
}

static int find_images(struct completion *c)
{
	size_t cnt = rsp_trace_identity_cnt(c->trace);

	c->images = calloc(cnt + 1, sizeof(*c->images));
	if (!c->images)
		return -ENOMEM;
	for (__u32 i = 0; i < cnt; i++) {
		const struct rsp_ev_task *task = rsp_trace_identity_task(c->trace, i);
		bool same = i && same_image(rsp_trace_identity_task(c->trace, i - 1), task);

		c->images[i] = same ? c->images[i - 1] : i;
	}
	return 0;
}

static __u32 identity_at(const struct completion *c, __u32 tid, __u64 ts_ns)
{
	return rsp_trace_identity(c->trace, rsp_trace_identities(c->trace, tid), ts_ns);
}

enum { OF_THREAD, OF_PROCESS, SCOPE_CNT };

/* An unknown scope is 0. */
static void scopes_of(const struct completion *c, const struct moment *m, __u64 ret[SCOPE_CNT])
{
	__u32 thread = identity_at(c, m->tid, m->ts_ns), leader;

	ret[OF_THREAD] = ret[OF_PROCESS] = 0;
	if (thread == RSP_NO_IDENTITY)
		return;
	leader = identity_at(c, rsp_trace_identity_task(c->trace, thread)->tgid, m->ts_ns);
	ret[OF_THREAD] = mix(mix(OF_THREAD + 1, c->images[thread]), m->kstack);
	if (leader != RSP_NO_IDENTITY)
		ret[OF_PROCESS] = mix(mix(OF_PROCESS + 1, c->images[leader]), m->kstack);
}

/* --- stacks in use -------------------------------------------------------------------------- */

static bool is_pending(const struct rsp_ev_stack *stack)
{
	return stack->hdr.flags & RSP_STACK_PENDING && stack->frame_cnt;
}

static int find_pending(struct completion *c)
{
	for (size_t i = 0; i < rsp_trace_stack_cnt(c->trace); i++) {
		const struct rsp_ev_stack *stack = rsp_trace_stack_at(c->trace, i);

		if (is_pending(stack) && rsp_idmap_put(&c->pending, stack->id, 0) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool has(const struct rsp_idmap *m, __u64 key)
{
	return rsp_idmap_get(m, key, &(uint64_t){0});
}

static int find_processes(struct completion *c, struct rsp_idmap *tgids)
{
	for (size_t i = 0; i < c->trace->event_cnt; i++) {
		struct moment m = moment_of(c->trace->events[i]);
		const struct rsp_ev_task *task;
		size_t *slot;

		if (!m.ustack || !has(&c->pending, m.ustack))
			continue;
		slot = rsp_array_add(&c->ending);
		if (!slot)
			return -ENOMEM;
		*slot = i;
		task = rsp_trace_task(c->trace, m.tid, m.ts_ns);
		if (task && rsp_idmap_put(tgids, task->tgid, 0) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int find_concerned(struct completion *c)
{
	struct rsp_idmap tgids = {0};
	int r = find_processes(c, &tgids);

	for (__u32 i = 0; i < rsp_trace_identity_cnt(c->trace) && r == 0; i++) {
		const struct rsp_ev_task *task = rsp_trace_identity_task(c->trace, i);

		if (has(&tgids, task->tgid))
			r = rsp_idmap_put(&c->concerns, task->tid, 0);
	}
	rsp_idmap_done(&tgids);
	return r;
}

static __u64 hash_of(__u64 scope, const struct rsp_ev_stack *stack)
{
	for (__u32 i = 0; i < stack->frame_cnt; i++)
		scope = mix(scope, stack->frames[i]);
	return scope;
}

static int make_place(struct completion *c, __u64 hash, __u32 *ret)
{
	uint64_t place = c->places.cnt;

	if (!rsp_idmap_get(&c->place_at, hash, &place) &&
	    (!rsp_array_add(&c->places) || rsp_idmap_put(&c->place_at, hash, place) < 0))
		return -ENOMEM;
	*ret = (__u32)place;
	return 0;
}

static int add_use(struct completion *c, __u64 scope, const struct rsp_ev_stack *stack)
{
	__u64 key = mix(scope, stack->id);
	__u32 place = NO_PLACE;
	struct use *use;

	if (!scope || has(&c->place_of, key))
		return 0;
	if (is_pending(stack) && make_place(c, hash_of(scope, stack), &place) < 0)
		return -ENOMEM;
	use = rsp_array_add(&c->uses);
	if (!use)
		return -ENOMEM;
	*use = (struct use){stack, scope, place};
	return rsp_idmap_put(&c->place_of, key, place);
}

static int add_uses(struct completion *c)
{
	__u64 scopes[SCOPE_CNT];
	int r = 0;

	for (size_t i = 0; i < c->trace->event_cnt && r == 0; i++) {
		struct moment m = moment_of(c->trace->events[i]);
		const struct rsp_ev_stack *stack;

		if (!m.ustack || !has(&c->concerns, m.tid))
			continue;
		stack = rsp_trace_stack(c->trace, m.ustack);
		if (!stack)
			continue;
		scopes_of(c, &m, scopes);
		for (int s = 0; s < SCOPE_CNT && r == 0; s++)
			r = add_use(c, scopes[s], stack);
	}
	return r;
}

/* --- matching stacks with places ------------------------------------------------------------ */

static void offer(struct place *place, const struct rsp_ev_stack *whole, __u64 whole_hash)
{
	if (!place->whole) {
		place->whole = whole;
		place->whole_hash = whole_hash;
	}
	place->ambiguous |= place->whole_hash != whole_hash;
}

/* A stack that ends early is not offered to its own place. */
static void offer_to_prefixes(struct completion *c, const struct use *use)
{
	__u32 cnt = use->stack->frame_cnt - (use->place != NO_PLACE);
	__u64 whole_hash = hash_of(use->scope, use->stack), hash = use->scope;
	uint64_t place;

	for (__u32 i = 0; i < cnt; i++) {
		hash = mix(hash, use->stack->frames[i]);
		if (rsp_idmap_get(&c->place_at, hash, &place))
			offer(&c->places.v[place], use->stack, whole_hash);
	}
}

/*
 * Sorts whole stacks first, then stacks that end early, longest first. So when match() reaches a
 * stack that ends early, the continuation of this stack is already known. match() offers only
 * stacks without a continuation.
 */
static int compare_uses(const void *pa, const void *pb)
{
	const struct use *a = pa, *b = pb;
	bool whole = a->place == NO_PLACE;

	if (whole != (b->place == NO_PLACE))
		return whole ? -1 : 1;
	if (a->stack->frame_cnt != b->stack->frame_cnt)
		return a->stack->frame_cnt > b->stack->frame_cnt ? -1 : 1;
	return a->stack->id < b->stack->id ? -1 : a->stack->id > b->stack->id;
}

static void match(struct completion *c)
{
	if (c->uses.cnt)
		qsort(c->uses.v, c->uses.cnt, sizeof(*c->uses.v), compare_uses);
	for (size_t i = 0; i < c->uses.cnt; i++) {
		const struct use *use = &c->uses.v[i];

		if (use->place == NO_PLACE || !c->places.v[use->place].whole)
			offer_to_prefixes(c, use);
	}
}

/* --- replacing stacks in events ------------------------------------------------------------- */

static bool is_beginning(const struct rsp_ev_stack *stack, const struct rsp_ev_stack *whole)
{
	return stack->frame_cnt <= whole->frame_cnt &&
	       memcmp(stack->frames, whole->frames, stack->frame_cnt * sizeof(__u64)) == 0;
}

/*
 * Returns the stack that continues this stack in a scope. Returns the stack itself if no
 * continuation is known, and NULL if there are several.
 */
static const struct rsp_ev_stack *go_on(const struct completion *c, __u64 scope,
					const struct rsp_ev_stack *stack)
{
	const struct place *place;
	uint64_t i;

	if (!scope || !rsp_idmap_get(&c->place_of, mix(scope, stack->id), &i) || i == NO_PLACE)
		return stack;
	place = &c->places.v[i];
	if (place->ambiguous)
		return NULL;
	return place->whole && is_beginning(stack, place->whole) ? place->whole : stack;
}

static __u64 completed(const struct completion *c, const struct moment *m)
{
	const struct rsp_ev_stack *stack = rsp_trace_stack(c->trace, m->ustack), *more;
	__u64 scopes[SCOPE_CNT];

	scopes_of(c, m, scopes);
	for (int s = 0; s < SCOPE_CNT; s++) {
		more = go_on(c, scopes[s], stack);
		if (!more)
			break;
		stack = more;
	}
	return stack->id;
}

static int replace(const struct rsp_ev_hdr **event, __u64 ustack, struct rsp_arena *copies)
{
	struct rsp_ev_hdr *copy = rsp_arena_alloc(copies, (*event)->size);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, *event, (*event)->size);
	set_ustack(copy, ustack);
	*event = copy;
	return 0;
}

static int replace_events(const struct completion *c, struct rsp_trace *trace,
			  struct rsp_arena *copies)
{
	int r = 0;

	for (size_t i = 0; i < c->ending.cnt && r == 0; i++) {
		const struct rsp_ev_hdr **event = &trace->events[c->ending.v[i]];
		struct moment m = moment_of(*event);
		__u64 ustack = completed(c, &m);

		if (ustack != m.ustack)
			r = replace(event, ustack, copies);
	}
	return r;
}

static void done(struct completion *c)
{
	rsp_idmap_done(&c->pending);
	free(c->ending.v);
	rsp_idmap_done(&c->concerns);
	rsp_idmap_done(&c->place_of);
	rsp_idmap_done(&c->place_at);
	free(c->images);
	free(c->uses.v);
	free(c->places.v);
}

int rsp_trace_complete_stacks(struct rsp_trace *trace, struct rsp_arena *copies)
{
	_cleanup_(done) struct completion c = {.trace = trace};
	int r = find_pending(&c);

	if (r < 0 || !c.pending.cnt)
		return r;
	r = find_concerned(&c);
	if (r == 0)
		r = find_images(&c);
	if (r == 0)
		r = add_uses(&c);
	if (r < 0)
		return r;
	match(&c);
	return replace_events(&c, trace, copies);
}
