/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of numbers and texts in a viewer's file. docs/viewer-format.md describes them. */
#ifndef RSP_LIB_VIEWER_COLUMNS_H
#define RSP_LIB_VIEWER_COLUMNS_H

#include <linux/types.h>
#include <stddef.h>

enum rsp_column_id {
	RSP_COL_STRING,
	RSP_COL_FRAME_SYMBOL,
	RSP_COL_FRAME_MODULE,
	RSP_COL_FRAME_KERNEL,
	RSP_COL_STACK_PARENT,
	RSP_COL_STACK_FRAME,
	RSP_COL_WAIT_STACK,
	RSP_COL_WAIT_SYSCALL,
	RSP_COL_WAIT_OBJECT,
	RSP_COL_PROCESS_PID,
	RSP_COL_PROCESS_NAME,
	RSP_COL_THREAD_TID,
	RSP_COL_THREAD_PROCESS,
	RSP_COL_THREAD_NAME,
	RSP_COL_THREAD_FLAGS,
	RSP_COL_THREAD_PARENT,
	RSP_COL_THREAD_SPANS,
	RSP_COL_THREAD_SAMPLES,
	RSP_COL_THREAD_FROM,
	RSP_COL_SPAN_NS,
	RSP_COL_SPAN_WHAT,
	RSP_COL_SPAN_WAIT,
	RSP_COL_SPAN_BY,
	RSP_COL_SPAN_WAKER,
	RSP_COL_SPAN_CPU,
	RSP_COL_SAMPLE_AT,
	RSP_COL_SAMPLE_STACK,
	RSP_COL_SAMPLE_STANDS,
	RSP_COL_HOP_PARENT,
	RSP_COL_HOP_NAME,
	RSP_COL_HOP_STACK,
	RSP_COL_HOP_WHAT,
	RSP_COL_HOP_SYSCALL,
	RSP_COL_HOP_OBJECT,
	RSP_COL_HOP_BEHIND,
	RSP_COL_HOP_FLAGS,
	RSP_COL_PIECE_GAP,
	RSP_COL_PIECE_NS,
	RSP_COL_PIECE_HOP,
	RSP_COL_POINT_GAP,
	RSP_COL_POINT_NS,
	RSP_COL_POINT_THREAD,
	RSP_COL_POINT_FLAGS,
	RSP_COL_GAP_FROM,
	RSP_COL_GAP_NS,
	RSP_COL_GAP_CPU,
	RSP_COL_GAP_LOST,
	RSP_COL_STRIP_CPU,
	RSP_COL_STRIP_RUNQUEUE,
	RSP_COL_STRIP_DISK,
	RSP_COL_STRIP_DISK_QUEUED,
	RSP_COL_STRIP_SENT,
	RSP_COL_STRIP_RECEIVED,
	RSP_COL_STRIP_LOST,
	RSP_COL_COUNTER_AT,
	RSP_COL_COUNTER_VALUE,
	RSP_COL_IRQ_HARD,
	RSP_COL_IRQ_SOFT,
	RSP_COL_MAX,
};

struct rsp_columns {
	int error; /* -ENOMEM after the first failure */
	struct rsp_column {
		struct {
			__u64 *v; /* values as in the file; signed numbers are zigzag-encoded */
			size_t cnt, cap;
		} numbers;
		struct {
			char *v;
			size_t cnt, cap;
		} text;
		size_t cnt;
		unsigned int width; /* number of bytes that the largest number needs */
		__s64 last;
	} v[RSP_COL_MAX];
};

void rsp_columns_done(struct rsp_columns *c);

void rsp_columns_put(struct rsp_columns *c, enum rsp_column_id id, __s64 value);
void rsp_columns_put_text(struct rsp_columns *c, enum rsp_column_id id, const char *text);

/*
 * rsp_column_read() copies len bytes of the column as it is in the file, beginning at offset off.
 * rsp_column_size() returns the size of the whole column.
 */
size_t rsp_column_size(const struct rsp_column *col);
void rsp_column_read(const struct rsp_column *col, size_t off, unsigned char *ret, size_t len);

struct json_object;
/* Returns the list of columns for HEAD, the JSON part of the file. NULL: out of memory. */
struct json_object *rsp_columns_to_json(const struct rsp_columns *c);

#endif
