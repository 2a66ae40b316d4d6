/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assigns numbers to objects that occur more than once. Stacks and chains of hops are nodes of
 * trees, in which parents come first.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/viewer/viewer-parts.h"

/* Keys are compared byte by byte, so they must not contain padding. */
struct frame_key {
	__u32 symbol, module, kernel;
};
struct stack_key {
	__u32 parent, frame;
};
struct wait_key {
	__u32 stack, syscall, object;
};

static __u32 put(struct rsp_viewer *v, struct rsp_intern *in, const void *key, size_t len)
{
	uint32_t id = 0;

	if (v->error == 0 && rsp_intern_put(in, key, len, &id) < 0)
		v->error = -ENOMEM;
	return v->error == 0 ? id : 0;
}

/* The first entry of each table is a key of zeroes or an empty text, because 0 means "none". */
int rsp_viewer_names_init(struct rsp_viewer *v)
{
	static const struct rsp_viewer_hop nothing;

	put(v, &v->strings, "", 0);
	put(v, &v->frames, &nothing, sizeof(struct frame_key));
	put(v, &v->stacks, &nothing, sizeof(struct stack_key));
	put(v, &v->waits, &nothing, sizeof(struct wait_key));
	put(v, &v->hops, &nothing, sizeof(nothing));
	return v->error;
}

void rsp_viewer_names_done(struct rsp_viewer *v)
{
	rsp_intern_done(&v->strings);
	rsp_intern_done(&v->frames);
	rsp_intern_done(&v->stacks);
	rsp_intern_done(&v->waits);
	rsp_intern_done(&v->hops);
	rsp_idmap_done(&v->node_of);
}

__u32 rsp_viewer_string(struct rsp_viewer *v, const char *text)
{
	return put(v, &v->strings, text, strlen(text));
}

__u32 rsp_viewer_name(struct rsp_viewer *v, __u32 name)
{
	return rsp_viewer_string(v, rsp_names_text(v->names, name));
}

static __u32 put_frame(struct rsp_viewer *v, const struct rsp_frame *f)
{
	struct frame_key key = {
		rsp_viewer_string(v, f->symbol),
		rsp_viewer_string(v, f->module),
		f->kernel,
	};

	return put(v, &v->frames, &key, sizeof(key));
}

__u32 rsp_viewer_frames(struct rsp_viewer *v, const struct rsp_frame *frames, size_t cnt)
{
	struct stack_key key = {0};

	while (cnt-- > 0) {
		key.frame = put_frame(v, &frames[cnt]);
		key.parent = put(v, &v->stacks, &key, sizeof(key));
	}
	return key.parent;
}

__u32 rsp_viewer_stack(struct rsp_viewer *v, __u64 kstack, __u64 ustack)
{
	__u32 list = rsp_names_stack(v->names, kstack, ustack);
	const struct rsp_frame *frames;
	uint64_t node;
	size_t cnt;

	if (rsp_idmap_get(&v->node_of, list, &node))
		return (__u32)node;
	frames = rsp_names_frames(v->names, list, &cnt);
	node = rsp_viewer_frames(v, frames, cnt);
	if (rsp_idmap_put(&v->node_of, list, node) < 0)
		v->error = -ENOMEM;
	return (__u32)node;
}

__u32 rsp_viewer_wait(struct rsp_viewer *v, const struct rsp_ev_switch *out)
{
	struct wait_key key;

	if (!out)
		return 0;
	key.stack = rsp_viewer_stack(v, out->kstack, out->ustack);
	key.syscall = rsp_viewer_name(v, rsp_names_syscall(v->names, out));
	key.object = rsp_viewer_name(v, rsp_names_wait(v->names, out));
	return put(v, &v->waits, &key, sizeof(key));
}

__u32 rsp_viewer_hop(struct rsp_viewer *v, const struct rsp_viewer_hop *hop)
{
	return put(v, &v->hops, hop, sizeof(*hop));
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Strings are not trusted, so they are cleaned. */
static void put_strings(struct rsp_viewer *v)
{
	for (__u32 i = 0; i < v->strings.cnt; i++) {
		_cleanup_free_ char *text = strdup(rsp_intern_data(&v->strings, i));

		if (!text) {
			v->error = -ENOMEM;
			return;
		}
		rsp_text_clean(text);
		rsp_columns_put_text(&v->columns, RSP_COL_STRING, text);
	}
}

static void put_stacks(struct rsp_viewer *v)
{
	for (__u32 i = 0; i < v->frames.cnt; i++) {
		const struct frame_key *f = rsp_intern_data(&v->frames, i);

		rsp_columns_put(&v->columns, RSP_COL_FRAME_SYMBOL, f->symbol);
		rsp_columns_put(&v->columns, RSP_COL_FRAME_MODULE, f->module);
		rsp_columns_put(&v->columns, RSP_COL_FRAME_KERNEL, f->kernel);
	}
	for (__u32 i = 0; i < v->stacks.cnt; i++) {
		const struct stack_key *s = rsp_intern_data(&v->stacks, i);

		rsp_columns_put(&v->columns, RSP_COL_STACK_PARENT, s->parent);
		rsp_columns_put(&v->columns, RSP_COL_STACK_FRAME, s->frame);
	}
}

static void put_waits(struct rsp_viewer *v)
{
	for (__u32 i = 0; i < v->waits.cnt; i++) {
		const struct wait_key *w = rsp_intern_data(&v->waits, i);

		rsp_columns_put(&v->columns, RSP_COL_WAIT_STACK, w->stack);
		rsp_columns_put(&v->columns, RSP_COL_WAIT_SYSCALL, w->syscall);
		rsp_columns_put(&v->columns, RSP_COL_WAIT_OBJECT, w->object);
	}
}

static void put_hops(struct rsp_viewer *v)
{
	for (__u32 i = 0; i < v->hops.cnt; i++) {
		const struct rsp_viewer_hop *h = rsp_intern_data(&v->hops, i);

		rsp_columns_put(&v->columns, RSP_COL_HOP_PARENT, h->parent);
		rsp_columns_put(&v->columns, RSP_COL_HOP_NAME, h->name);
		rsp_columns_put(&v->columns, RSP_COL_HOP_STACK, h->stack);
		rsp_columns_put(&v->columns, RSP_COL_HOP_WHAT, h->what);
		rsp_columns_put(&v->columns, RSP_COL_HOP_SYSCALL, h->syscall);
		rsp_columns_put(&v->columns, RSP_COL_HOP_OBJECT, h->object);
		rsp_columns_put(&v->columns, RSP_COL_HOP_BEHIND, h->behind);
		rsp_columns_put(&v->columns, RSP_COL_HOP_FLAGS, h->flags);
	}
}

void rsp_viewer_put_names(struct rsp_viewer *v)
{
	put_hops(v);
	put_waits(v);
	put_stacks(v);
	put_strings(v);
}
