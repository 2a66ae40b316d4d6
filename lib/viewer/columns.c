/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See columns.h. */
#include "lib/viewer/columns.h"

#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/json.h"

/* docs/viewer-format.md describes the types. */
static const struct {
	const char *name, *type;
} kinds[RSP_COL_MAX] = {
	[RSP_COL_STRING] = {"string", "text"},
	[RSP_COL_FRAME_SYMBOL] = {"frame.symbol", "u"},
	[RSP_COL_FRAME_MODULE] = {"frame.module", "u"},
	[RSP_COL_FRAME_KERNEL] = {"frame.kernel", "u"},
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
	[RSP_COL_THREAD_FLAGS] = {"thread.flags", "u"},
	[RSP_COL_THREAD_PARENT] = {"thread.parent", "u"},
	[RSP_COL_THREAD_SPANS] = {"thread.spans", "u"},
	[RSP_COL_THREAD_SAMPLES] = {"thread.samples", "u"},
	[RSP_COL_THREAD_FROM] = {"thread.from", "u"},
	[RSP_COL_SPAN_NS] = {"span.ns", "u"},
	[RSP_COL_SPAN_WHAT] = {"span.what", "u"},
	[RSP_COL_SPAN_WAIT] = {"span.wait", "u"},
	[RSP_COL_SPAN_BY] = {"span.by", "u"},
	[RSP_COL_SPAN_WAKER] = {"span.waker", "u"},
	[RSP_COL_SPAN_CPU] = {"span.cpu", "u"},
	[RSP_COL_SAMPLE_AT] = {"sample.at", "u"},
	[RSP_COL_SAMPLE_STACK] = {"sample.stack", "u"},
	[RSP_COL_SAMPLE_STANDS] = {"sample.stands", "u"},
	[RSP_COL_HOP_PARENT] = {"hop.parent", "d"},
	[RSP_COL_HOP_NAME] = {"hop.name", "u"},
	[RSP_COL_HOP_STACK] = {"hop.stack", "u"},
	[RSP_COL_HOP_WHAT] = {"hop.what", "u"},
	[RSP_COL_HOP_SYSCALL] = {"hop.syscall", "u"},
	[RSP_COL_HOP_OBJECT] = {"hop.object", "u"},
	[RSP_COL_HOP_BEHIND] = {"hop.behind", "u"},
	[RSP_COL_HOP_FLAGS] = {"hop.flags", "u"},
	[RSP_COL_PIECE_GAP] = {"piece.gap", "s"},
	[RSP_COL_PIECE_NS] = {"piece.ns", "u"},
	[RSP_COL_PIECE_HOP] = {"piece.hop", "u"},
	[RSP_COL_POINT_GAP] = {"point.gap", "u"},
	[RSP_COL_POINT_NS] = {"point.ns", "u"},
	[RSP_COL_POINT_THREAD] = {"point.thread", "u"},
	[RSP_COL_POINT_FLAGS] = {"point.flags", "u"},
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
	[RSP_COL_COUNTER_AT] = {"counter.at", "d"},
	[RSP_COL_COUNTER_VALUE] = {"counter.value", "u"},
	[RSP_COL_IRQ_HARD] = {"irq.hard", "u"},
	[RSP_COL_IRQ_SOFT] = {"irq.soft", "u"},
};

void rsp_columns_done(struct rsp_columns *c)
{
	for (size_t i = 0; i < RSP_COL_MAX; i++) {
		free(c->v[i].numbers.v);
		free(c->v[i].text.v);
	}
}

static __u64 zigzag(__s64 value)
{
	return (__u64)value << 1 ^ (__u64)(value >> 63);
}

static __u64 written(struct rsp_column *col, char type, __s64 value)
{
	__s64 last = col->last;

	col->last = value;
	switch (type) {
	case 's':
		return zigzag(value);
	case 'd':
		return zigzag(value - last);
	default:
		return (__u64)value;
	}
}

void rsp_columns_put(struct rsp_columns *c, enum rsp_column_id id, __s64 value)
{
	struct rsp_column *col = &c->v[id];
	__u64 *number = rsp_array_add(&col->numbers);

	if (!number) {
		c->error = -ENOMEM;
		return;
	}
	*number = written(col, kinds[id].type[0], value);
	col->cnt++;
	while (col->width < sizeof(*number) && *number >> (8 * col->width))
		col->width++;
}

void rsp_columns_put_text(struct rsp_columns *c, enum rsp_column_id id, const char *text)
{
	struct rsp_column *col = &c->v[id];

	col->cnt++;
	do {
		char *byte = rsp_array_add(&col->text);

		if (!byte) {
			c->error = -ENOMEM;
			return;
		}
		*byte = *text;
	} while (*text++);
}

size_t rsp_column_size(const struct rsp_column *col)
{
	return col->numbers.cnt * col->width + col->text.cnt;
}

/*
 * The lowest bytes of all numbers come first, then the next bytes, and so on. Similar bytes are
 * then adjacent, which compresses better.
 */
void rsp_column_read(const struct rsp_column *col, size_t off, unsigned char *ret, size_t len)
{
	size_t cnt = col->numbers.cnt, plane = cnt ? off / cnt : 0, i = off - plane * cnt;

	if (!cnt)
		memcpy(ret, col->text.v + off, len);
	for (; cnt && len > 0; len--) {
		*ret++ = (unsigned char)(col->numbers.v[i] >> (8 * plane));
		if (++i == cnt) {
			i = 0;
			plane++;
		}
	}
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
		r |= rsp_json_add_number(o, "bytes", rsp_column_size(&c->v[i]));
		if (r < 0)
			return NULL;
	}
	return rsp_take_ptr(list);
}
