/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the data of a page (docs/viewer-format.md) from a random snapshot (records.h).
 * web/data/recording.js must be able to read them.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/base/json.h"
#include "lib/viewer/viewer-parts.h"
#include "lib/viewer/viewer.h"
#include "tests/fuzz/records.h"

/* Columns of row numbers, each with a column of the table that the row numbers refer to. */
static const struct {
	enum rsp_column_id column, of;
} references[] = {
	{RSP_COL_FRAME_SYMBOL, RSP_COL_STRING},	     {RSP_COL_FRAME_MODULE, RSP_COL_STRING},
	{RSP_COL_STACK_FRAME, RSP_COL_FRAME_SYMBOL}, {RSP_COL_WAIT_STACK, RSP_COL_STACK_FRAME},
	{RSP_COL_WAIT_SYSCALL, RSP_COL_STRING},	     {RSP_COL_WAIT_OBJECT, RSP_COL_STRING},
	{RSP_COL_PROCESS_NAME, RSP_COL_STRING},	     {RSP_COL_THREAD_PROCESS, RSP_COL_PROCESS_PID},
	{RSP_COL_THREAD_NAME, RSP_COL_STRING},	     {RSP_COL_SPAN_WAIT, RSP_COL_WAIT_STACK},
	{RSP_COL_SAMPLE_STACK, RSP_COL_STACK_FRAME}, {RSP_COL_HOP_NAME, RSP_COL_STRING},
	{RSP_COL_HOP_STACK, RSP_COL_STACK_FRAME},    {RSP_COL_HOP_SYSCALL, RSP_COL_STRING},
	{RSP_COL_HOP_OBJECT, RSP_COL_STRING},	     {RSP_COL_HOP_BEHIND, RSP_COL_STRING},
	{RSP_COL_PIECE_HOP, RSP_COL_HOP_NAME},
};

static void check_references(const struct rsp_columns *c)
{
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
		const struct rsp_column *col = &c->v[references[i].column];

		for (size_t k = 0; k < col->cnt; k++)
			must(col->numbers.v[k] < c->v[references[i].of].cnt);
	}
}

/* Checks a column of parents, which contains zigzag-encoded differences between rows. */
static void check_parents(const struct rsp_column *col)
{
	__s64 parent = 0;

	for (size_t i = 0; i < col->cnt; i++) {
		__u64 n = col->numbers.v[i];

		parent += (__s64)(n >> 1 ^ -(n & 1));
		must(parent >= 0 && (parent < (__s64)i || parent == 0));
	}
}

static void check_sum(const struct rsp_column *counts, const struct rsp_column *rows)
{
	__u64 sum = 0;

	for (size_t i = 0; i < counts->cnt; i++)
		sum += counts->numbers.v[i];
	must(sum == rows->cnt);
}

static void check_columns(const struct rsp_columns *c)
{
	for (size_t i = 0; i < RSP_COL_MAX; i++) {
		size_t size = rsp_column_size(&c->v[i]);
		unsigned char *bytes = malloc(size);

		if (size)
			rsp_column_read(&c->v[i], 0, bytes, size);
		free(bytes);
	}
	check_references(c);
	check_parents(&c->v[RSP_COL_STACK_PARENT]);
	check_parents(&c->v[RSP_COL_HOP_PARENT]);
	check_sum(&c->v[RSP_COL_THREAD_SPANS], &c->v[RSP_COL_SPAN_NS]);
	check_sum(&c->v[RSP_COL_THREAD_SAMPLES], &c->v[RSP_COL_SAMPLE_AT]);
}

int rsp_viewer_html(const struct rsp_viewer *v, const char *head, size_t head_len, FILE *out)
{
	struct json_object *o;

	must(rsp_json_parse(head, head_len, 64, &o) == 0);
	json_object_put(o);
	check_columns(&v->columns);
	return 0;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len};
	struct rsp_trace *trace;
	struct rsp_meta meta;
	bool must_occur = take_u8(&in) & 1, lossy;
	int r;

	records_take(&in, &records);
	meta = records.snap.meta;
	must(rsp_trace_new(&records.snap, &trace) == 0);
	r = rsp_viewer_write(&records.snap, trace, must_occur, stdout, &lossy);
	must(r == 0 || (must_occur && r == -ESRCH));
	must(memcmp(&meta, &records.snap.meta, sizeof(meta)) == 0);
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
