/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See places.h. */
#include "lib/model/waits/places.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"

#define FRAMES_MAX 24

static const struct {
	const char *function; /* without a suffix from the compiler, such as ".isra.0" */
	enum rsp_place place;
	bool kernel;
} functions[] = {
	/*
	 * Go (src/runtime/proc.go): a thread without a goroutine looks for a goroutine, or parks.
	 */
	{"runtime.findRunnable", RSP_PLACE_WORK, false},
	{"runtime.findrunnable", RSP_PLACE_WORK, false}, /* before Go 1.19 */
	{"runtime.stopm", RSP_PLACE_WORK, false},
	/*
	 * From mm/page-writeback.c. The compiler may inline balance_dirty_pages() into its callers.
	 */
	{"balance_dirty_pages", RSP_PLACE_DIRTY_PAGES, true},
	{"balance_dirty_pages_ratelimited_flags", RSP_PLACE_DIRTY_PAGES, true},
	{"balance_dirty_pages_ratelimited", RSP_PLACE_DIRTY_PAGES, true},
	/* mm/memcontrol.c */
	{"mem_cgroup_handle_over_high", RSP_PLACE_MEMORY_HIGH, true},
	{"__mem_cgroup_handle_over_high", RSP_PLACE_MEMORY_HIGH, true}, /* since Linux 6.17 */
	/* block/blk-iocost.c, blk-iolatency.c, blk-cgroup.c */
	{"ioc_rqos_throttle", RSP_PLACE_IO_SHARE, true},
	{"blkcg_iolatency_throttle", RSP_PLACE_IO_SHARE, true},
	{"__blkcg_maybe_throttle_current", RSP_PLACE_IO_SHARE, true},
	{"blkcg_maybe_throttle_current", RSP_PLACE_IO_SHARE, true},
	/* mm/memory.c */
	{"do_swap_page", RSP_PLACE_SWAP, true},
};

static bool is_function(const struct rsp_frame *frame, const char *function)
{
	size_t len = strcspn(frame->symbol, ".");

	if (!frame->kernel)
		return strcmp(frame->symbol, function) == 0;
	return strncmp(frame->symbol, function, len) == 0 && function[len] == '\0';
}

static enum rsp_place place_of_frame(const struct rsp_frame *frame)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].kernel == frame->kernel &&
		    is_function(frame, functions[i].function))
			return functions[i].place;
	return RSP_PLACE_OTHER;
}

static enum rsp_place place_of_stack(const struct rsp_trace *trace, __u64 stack)
{
	struct rsp_frame frames[FRAMES_MAX];
	size_t cnt = rsp_trace_frames(trace, stack, frames, FRAMES_MAX);
	enum rsp_place place = RSP_PLACE_OTHER;

	for (size_t i = 0; i < cnt && place == RSP_PLACE_OTHER; i++)
		place = place_of_frame(&frames[i]);
	return place;
}

static int look_at(struct rsp_places *p, struct rsp_idmap *seen, const struct rsp_trace *trace,
		   __u64 stack)
{
	enum rsp_place place;

	if (!stack || rsp_idmap_get(seen, stack, &(uint64_t){0}))
		return 0;
	if (rsp_idmap_put(seen, stack, 0) < 0)
		return -ENOMEM;
	place = place_of_stack(trace, stack);
	return place == RSP_PLACE_OTHER ? 0 : rsp_idmap_put(&p->of_stack, stack, place);
}

static int look_at_thread(struct rsp_places *p, struct rsp_idmap *seen, const struct rsp_model *m,
			  const struct rsp_thread *t)
{
	/* the stacks of the previous wait: the next wait often has the same stacks */
	__u64 kstack = 0, ustack = 0;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		const struct rsp_ev_switch *out = t->spans.v[i].out;

		if (t->spans.v[i].kind != RSP_SPAN_BLOCKED || !out ||
		    (out->kstack == kstack && out->ustack == ustack))
			continue;
		kstack = out->kstack;
		ustack = out->ustack;
		if (look_at(p, seen, m->trace, kstack) < 0 ||
		    look_at(p, seen, m->trace, ustack) < 0)
			return -ENOMEM;
	}
	return 0;
}

int rsp_places_find(const struct rsp_model *m, struct rsp_places *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	struct rsp_places places = {0};

	for (size_t i = 0; i < m->threads.cnt; i++) {
		if (look_at_thread(&places, &seen, m, &m->threads.v[i]) == 0)
			continue;
		rsp_places_done(&places);
		return -ENOMEM;
	}
	*ret = places;
	return 0;
}

void rsp_places_done(struct rsp_places *p)
{
	rsp_idmap_done(&p->of_stack);
}

enum rsp_place rsp_place_of(const struct rsp_places *p, const struct rsp_span *span)
{
	uint64_t place = RSP_PLACE_OTHER;

	if (!p || !p->of_stack.cnt || span->kind != RSP_SPAN_BLOCKED || !span->out)
		return RSP_PLACE_OTHER;
	if (!rsp_idmap_get(&p->of_stack, span->out->kstack, &place))
		rsp_idmap_get(&p->of_stack, span->out->ustack, &place);
	/*
	 * Go's scheduler also sleeps for some microseconds before it takes a goroutine from another
	 * queue. The wakeup from such a sleep does not show where the goroutine came from.
	 */
	if (place == RSP_PLACE_WORK && span->flags & RSP_SW_SLEEP)
		return RSP_PLACE_OTHER;
	return (enum rsp_place)place;
}
