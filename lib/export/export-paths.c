/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts control paths to nested slices (bars on a time line). Consecutive pseudo-stacks that
 * begin with the same hops share the slices of these hops.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/export/export-parts.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-words.h"

struct walk {
	const struct rsp_export_visitor *visitor;
	struct {
		struct rsp_export_slice *v;
		size_t cnt, cap;
	} open;
};

/*
 * Texts and stacks are compared by address, because an explanation stores each of them only once.
 */
static bool is_same_hop(const struct rsp_hop *a, const struct rsp_hop *b)
{
	return a->kind == b->kind && a->category == b->category && a->why == b->why &&
	       a->tid == b->tid && a->comm == b->comm && a->object == b->object &&
	       a->behind == b->behind && a->syscall == b->syscall && a->frames == b->frames;
}

static size_t shared_depth(const struct walk *w, const struct rsp_chain *chain)
{
	size_t depth = 0;

	while (depth < w->open.cnt && depth < chain->hop_cnt &&
	       is_same_hop(w->open.v[depth].hop, &chain->hops[depth]))
		depth++;
	return depth;
}

static int close_to(struct walk *w, size_t depth, __u64 ts_ns)
{
	int r = 0;

	while (w->open.cnt > depth && r == 0) {
		struct rsp_export_slice *slice = &w->open.v[--w->open.cnt];

		slice->to_ns = ts_ns;
		r = w->visitor->close(w->visitor->userdata, slice);
	}
	return r;
}

static int open_to(struct walk *w, size_t path, const struct rsp_chain *chain, __u64 ts_ns)
{
	int r = 0;

	for (size_t depth = w->open.cnt; depth < chain->hop_cnt && r == 0; depth++) {
		struct rsp_export_slice *slice = rsp_array_add(&w->open);

		if (!slice)
			return -ENOMEM;
		*slice = (struct rsp_export_slice){path, depth, &chain->hops[depth], ts_ns, 0};
		r = w->visitor->open(w->visitor->userdata, slice);
	}
	return r;
}

int rsp_export_walk_paths(const struct rsp_export *x, const struct rsp_export_visitor *visitor)
{
	struct walk w = {.visitor = visitor};
	const struct rsp_path_profile *p;
	__u64 end_ns = 0;
	int r = 0;

	if (!x->explanation)
		return 0;
	p = &x->explanation->paths;
	for (size_t i = 0; i < p->stack_cnt && r == 0; i++) {
		const struct rsp_pseudo_stack *s = &p->stacks[i];
		const struct rsp_chain *chain = &p->chains[s->chain];
		bool goes_on = i > 0 && s->path == p->stacks[i - 1].path && s->from_ns == end_ns;

		r = close_to(&w, goes_on ? shared_depth(&w, chain) : 0, end_ns);
		if (r == 0)
			r = open_to(&w, s->path, chain, s->from_ns);
		end_ns = s->to_ns;
	}
	if (r == 0)
		r = close_to(&w, 0, end_ns);
	free(w.open.v);
	return r;
}

__u32 rsp_export_hop_title(struct rsp_export *x, const struct rsp_hop *hop)
{
	const struct rsp_frame *at;
	bool has_place = rsp_frames_select(hop, &at, 1) > 0;
	char text[1024];

	if (hop->kind == RSP_HOP_BLOCKED)
		snprintf(text, sizeof(text), "%s: blocked%s%s%s%s", hop->comm,
			 *hop->syscall ? " in " : "", hop->syscall, has_place ? " at " : "",
			 has_place ? rsp_frame_text(at) : "");
	else
		snprintf(text, sizeof(text), "%s: %s%s%s", hop->comm,
			 rsp_category_words(rsp_words_of_leaf(hop))->activity,
			 has_place && rsp_hop_is_sampled(hop) ? " at " : "",
			 has_place && rsp_hop_is_sampled(hop) ? rsp_frame_text(at) : "");
	return rsp_names_add(x->names, text);
}

size_t rsp_export_awaited_path(const struct rsp_export *x, const struct rsp_hop *hop)
{
	const struct rsp_path_profile *p = &x->explanation->paths;

	if (hop->kind != RSP_HOP_LEAF || hop->category != RSP_CAT_OTHER_PATH)
		return SIZE_MAX;
	for (size_t i = 0; i < p->cnt; i++)
		if (p->v[i].tid == hop->tid)
			return i;
	return SIZE_MAX;
}
