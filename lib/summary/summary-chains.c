/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns chains into folded stacks, with the frames and escapes of `rspctl flame --kind chain`. Each
 * task that the process waited for follows, with its stack in reverse order.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/summary/summary-parts.h"

/*
 * Limits of one text. The summary of a machine has 60 KiB, and a deep recursion must not use all of
 * this space.
 */
#define FOLDED_MAX 2048
#define FRAMES_MAX 32
#define CUT	   "[...]"

/* --- text ------------------------------------------------------------------------------------- */

struct text {
	char v[FOLDED_MAX];
	size_t len;
	bool full;
};

/* Spaces and ';' are separators in folded stacks. */
static char escape(char c)
{
	return c == ' ' ? '_' : c == ';' ? ':' : c;
}

/* If the frame does not fit, adds CUT instead. */
static void put(struct text *t, const char *name, const char *suffix)
{
	size_t len = strlen(name), suffix_len = strlen(suffix);

	if (t->full)
		return;
	if (t->len + len + suffix_len + sizeof(";" CUT) + 1 > sizeof(t->v)) {
		t->full = true;
		name = CUT;
		suffix = "";
		len = strlen(CUT);
		suffix_len = 0;
	}
	if (t->len)
		t->v[t->len++] = ';';
	for (size_t i = 0; i < len; i++)
		t->v[t->len++] = escape(name[i]);
	memcpy(t->v + t->len, suffix, suffix_len);
	t->len += suffix_len;
}

static void put_name(struct text *t, const char *name)
{
	put(t, *name ? name : "[unknown]", "");
}

static void put_frame(struct text *t, const struct rsp_frame *f)
{
	put(t, *f->symbol ? f->symbol : "[unknown]", f->kernel ? "_[k]" : "");
}

static void put_label(struct text *t, const char *word, const char *name)
{
	char label[512];

	snprintf(label, sizeof(label), *name ? "%s: %s" : "%s", word, name);
	put_name(t, label);
}

/* --- hops ------------------------------------------------------------------------------------- */

static void put_stack(struct text *t, const struct rsp_hop *hop, bool is_first)
{
	size_t cnt = hop->frame_cnt < FRAMES_MAX ? hop->frame_cnt : FRAMES_MAX;

	if (!hop->frame_cnt)
		put_name(t, "[no stack]");
	else if (is_first && cnt < hop->frame_cnt)
		put_name(t, CUT);
	for (size_t i = 0; i < cnt; i++)
		put_frame(t, &hop->frames[is_first ? cnt - 1 - i : i]);
	if (!is_first && cnt < hop->frame_cnt)
		put_name(t, CUT);
}

/* object: the object of the wait, or "" if the next frame names the object. */
static void put_wait(struct text *t, const struct rsp_hop *hop, const char *object)
{
	if (*hop->syscall && *object && strcmp(hop->syscall, object) != 0)
		put_label(t, hop->syscall, object);
	else if (*hop->syscall || *object)
		put_name(t, *hop->syscall ? hop->syscall : object);
}

static const char *end_of(enum rsp_category category)
{
	switch (category) {
	case RSP_CAT_DISK_ACTIVE:
		return "disk";
	case RSP_CAT_DISK_QUEUED:
		return "disk queue";
	case RSP_CAT_NETWORK:
		return "network";
	case RSP_CAT_HARDWARE:
		return "hardware";
	case RSP_CAT_KERNEL:
		return "kernel";
	case RSP_CAT_SLEEP:
		return "its own timer";
	case RSP_CAT_TIMEOUT:
		return "timeout";
	case RSP_CAT_STOPPED:
		return "stopped";
	case RSP_CAT_RUNQUEUE:
		return "waits for a CPU";
	case RSP_CAT_PREEMPTED:
		return "preempted by";
	default:
		return "[unknown]";
	}
}

static bool runs(const struct rsp_hop *leaf)
{
	return leaf->category == RSP_CAT_RUNNING_SAMPLED ||
	       leaf->category == RSP_CAT_RUNNING_UNSAMPLED;
}

static void put_leaf(struct text *t, const struct rsp_hop *leaf)
{
	enum rsp_category category = leaf->category;

	if (runs(leaf))
		return;
	if (category != RSP_CAT_RUNQUEUE && category != RSP_CAT_PREEMPTED)
		put_wait(t, leaf, "");
	if (leaf->flags & RSP_HOP_THROTTLED)
		put_label(t, "throttled", leaf->object);
	else
		put_label(t, end_of(category), leaf->object);
}

static void fold(struct text *t, const struct rsp_chain *chain)
{
	t->len = 0;
	t->full = false;
	for (size_t i = 0; i < chain->hop_cnt; i++) {
		const struct rsp_hop *hop = &chain->hops[i];

		put_name(t, hop->comm);
		put_stack(t, hop, i == 0);
		if (hop->kind == RSP_HOP_LEAF)
			put_leaf(t, hop);
		else
			put_wait(t, hop, hop->object);
	}
}

/* --- sums ------------------------------------------------------------------------------------- */

static int add(struct rsp_summary_unit *unit, const struct rsp_summary_chain *chain)
{
	uint64_t key = (uint64_t)chain->category << 32 | chain->folded, i;
	struct rsp_summary_chain *slot;

	if (rsp_idmap_get(&unit->chain_of, key, &i)) {
		unit->chains.v[i].ns += chain->ns;
		unit->chains.v[i].count += chain->count;
		return 0;
	}
	slot = rsp_array_add(&unit->chains);
	if (!slot)
		return -ENOMEM;
	*slot = *chain;
	return rsp_idmap_put(&unit->chain_of, key, unit->chains.cnt - 1);
}

int rsp_summary_add_chains(struct rsp_summary *s, struct rsp_summary_unit *unit,
			   const struct rsp_explanation *e)
{
	struct text text;
	int r = 0;

	for (size_t i = 0; i < e->chain_cnt && r == 0; i++) {
		const struct rsp_chain *from = &e->chains[i];
		struct rsp_summary_chain chain = {
			.category = from->hops[from->hop_cnt - 1].category,
			.ns = from->ns,
			.count = from->count,
		};

		if (chain.category == RSP_CAT_IDLE)
			continue;
		fold(&text, from);
		r = rsp_intern_put(&s->texts, text.v, text.len, &chain.folded);
		if (r == 0)
			r = add(unit, &chain);
	}
	return r;
}
