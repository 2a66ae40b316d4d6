/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See columns.h. */
#include "columns.h"

#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/json.h"

/* Type: docs/viewer-format.md. */
static const struct {
	const char *name, *type;
} kinds[RSP_COL_MAX] = {
	[RSP_COL_STRING] = {"string", "text"},
	[RSP_COL_FRAME_SYMBOL] = {"frame.symbol", "u"},
	[RSP_COL_FRAME_MODULE] = {"frame.module", "u"},
	[RSP_COL_FRAME_KERNEL] = {"frame.kernel", "b"},
	[RSP_COL_STACK_PARENT] = {"stack.parent", "d"},
	[RSP_COL_STACK_FRAME] = {"stack.frame", "u"},
	[RSP_COL_WAIT_STACK] = {"wait.stack", "u"},
	[RSP_COL_WAIT_SYSCALL] = {"wait.syscall", "u"},
	[RSP_COL_WAIT_OBJECT] = {"wait.object", "u"},
	[RSP_COL_PROCESS_PID] = {"process.pid", "u"},
	[RSP_COL_PROCESS_NAME] = {"process.name", "u"},
	[RSP_COL_THREAD_TID] = {"thread.tid", "u"},
	[RSP_COL_THREAD_PROCESS] = {"thread.process", "u"},
	[RSP_COL_THREAD_NAME] = {"thread.name", "u"},
	[RSP_COL_THREAD_FLAGS] = {"thread.flags", "b"},
	[RSP_COL_THREAD_PARENT] = {"thread.parent", "u"},
	[RSP_COL_THREAD_SPANS] = {"thread.spans", "u"},
	[RSP_COL_THREAD_SAMPLES] = {"thread.samples", "u"},
	[RSP_COL_THREAD_FROM] = {"thread.from", "u"},
	[RSP_COL_SPAN_NS] = {"span.ns", "u"},
	[RSP_COL_SPAN_WHAT] = {"span.what", "b"},
	[RSP_COL_SPAN_WAIT] = {"span.wait", "u"},
	[RSP_COL_SPAN_BY] = {"span.by", "u"},
	[RSP_COL_SPAN_WAKER] = {"span.waker", "u"},
	[RSP_COL_SPAN_CPU] = {"span.cpu", "u"},
	[RSP_COL_SAMPLE_AT] = {"sample.at", "u"},
	[RSP_COL_SAMPLE_STACK] = {"sample.stack", "u"},
	[RSP_COL_HOP_PARENT] = {"hop.parent", "d"},
	[RSP_COL_HOP_NAME] = {"hop.name", "u"},
	[RSP_COL_HOP_STACK] = {"hop.stack", "u"},
	[RSP_COL_HOP_WHAT] = {"hop.what", "u"},
	[RSP_COL_HOP_SYSCALL] = {"hop.syscall", "u"},
	[RSP_COL_HOP_OBJECT] = {"hop.object", "u"},
	[RSP_COL_HOP_BEHIND] = {"hop.behind", "u"},
	[RSP_COL_HOP_FLAGS] = {"hop.flags", "b"},
	[RSP_COL_PIECE_GAP] = {"piece.gap", "s"},
	[RSP_COL_PIECE_NS] = {"piece.ns", "u"},
	[RSP_COL_PIECE_HOP] = {"piece.hop", "u"},
	[RSP_COL_GAP_FROM] = {"gap.from", "u"},
	[RSP_COL_GAP_NS] = {"gap.ns", "u"},
	[RSP_COL_GAP_CPU] = {"gap.cpu", "u"},
	[RSP_COL_GAP_LOST] = {"gap.lost", "u"},
	[RSP_COL_STRIP_CPU] = {"strip.cpu", "u"},
	[RSP_COL_STRIP_RUNQUEUE] = {"strip.runqueue", "u"},
	[RSP_COL_STRIP_DISK] = {"strip.disk", "u"},
	[RSP_COL_STRIP_DISK_QUEUED] = {"strip.disk_queued", "u"},
	[RSP_COL_STRIP_SENT] = {"strip.sent", "u"},
	[RSP_COL_STRIP_RECEIVED] = {"strip.received", "u"},
	[RSP_COL_STRIP_LOST] = {"strip.lost", "u"},
	[RSP_COL_IRQ_HARD] = {"irq.hard", "u"},
	[RSP_COL_IRQ_SOFT] = {"irq.soft", "u"},
};

void rsp_columns_done(struct rsp_columns *c)
{
	for (size_t i = 0; i < RSP_COL_MAX; i++)
		free(c->v[i].bytes.v);
}

static void put_byte(struct rsp_columns *c, struct rsp_column *col, __u64 byte)
{
	unsigned char *b = rsp_array_add(&col->bytes);

	if (b)
		*b = (unsigned char)byte;
	else
		c->error = -ENOMEM;
}

static void put_varint(struct rsp_columns *c, struct rsp_column *col, __u64 value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(c, col, (value & 0x7f) | 0x80);
	put_byte(c, col, value);
}

static __u64 zigzag(__s64 value)
{
	return (__u64)value << 1 ^ (__u64)(value >> 63);
}

void rsp_columns_put(struct rsp_columns *c, enum rsp_column_id id, __s64 value)
{
	struct rsp_column *col = &c->v[id];

	col->cnt++;
	switch (kinds[id].type[0]) {
	case 'b':
		put_byte(c, col, (__u64)value);
		break;
	case 's':
		put_varint(c, col, zigzag(value));
		break;
	case 'd':
		put_varint(c, col, zigzag(value - col->last));
		col->last = value;
		break;
	default:
		put_varint(c, col, (__u64)value);
	}
}

void rsp_columns_put_text(struct rsp_columns *c, enum rsp_column_id id, const char *text)
{
	c->v[id].cnt++;
	do
		put_byte(c, &c->v[id], (unsigned char)*text);
	while (*text++);
}

struct json_object *rsp_columns_to_json(const struct rsp_columns *c)
{
	_cleanup_json_ struct json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < RSP_COL_MAX; i++) {
		struct json_object *o = json_object_new_object();
		int r = rsp_json_append(list, o);

		if (r < 0)
			return NULL;
		r |= rsp_json_add_string(o, "name", kinds[i].name);
		r |= rsp_json_add_string(o, "type", kinds[i].type);
		r |= rsp_json_add_number(o, "count", c->v[i].cnt);
		r |= rsp_json_add_number(o, "bytes", c->v[i].bytes.cnt);
		if (r < 0)
			return NULL;
	}
	return rsp_take_ptr(list);
}
