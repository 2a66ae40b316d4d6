/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the marks and the counters of the machine within the span that the page shows. */
#include <errno.h>
#include <json-c/json.h>

#include "lib/base/json.h"
#include "lib/report/report-marks.h"
#include "lib/trace/readings.h"
#include "lib/viewer/viewer-parts.h"

/* The newest marks are kept. The lines of more marks would hide the picture. */
#define MARKS_MAX 2000

static bool is_shown(const struct rsp_viewer *v, __u64 at_ns)
{
	return at_ns >= v->base_ns && at_ns <= v->end_ns;
}

static int add_mark(const struct rsp_viewer *v, const struct rsp_ev_mark *mark,
		    struct json_object *array)
{
	struct json_object *o = json_object_new_object();
	char words[RSP_MARK_WORDS_BYTES];
	int r = rsp_json_append(array, o);

	if (r < 0)
		return r;
	r = rsp_json_add_number(o, "at", (__u64)rsp_viewer_time(v, mark->hdr.ts_ns));
	r |= rsp_json_add_string(o, "kind", rsp_mark_key(mark));
	r |= rsp_json_add_string(o, "text",
				 rsp_mark_words(mark, RSP_MARK_TEXT_MAX, words, sizeof(words)));
	return r;
}

/* Returns the index of the oldest mark that is kept. */
static size_t first_mark(const struct rsp_viewer *v)
{
	const struct rsp_trace *trace = v->model->trace;
	size_t i = trace->marks.cnt, shown = 0;

	while (i > 0 && shown < MARKS_MAX)
		shown += is_shown(v, trace->marks.v[--i]->hdr.ts_ns);
	return i;
}

struct json_object *rsp_viewer_put_marks(const struct rsp_viewer *v)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();
	const struct rsp_trace *trace = v->model->trace;

	for (size_t i = first_mark(v); array && i < trace->marks.cnt; i++)
		if (is_shown(v, trace->marks.v[i]->hdr.ts_ns) &&
		    add_mark(v, trace->marks.v[i], array) < 0)
			return NULL;
	return rsp_take_ptr(array);
}

static void put_values(struct rsp_viewer *v, const struct rsp_readings *r, unsigned int counter)
{
	for (size_t i = 0; i < r->cnt; i++) {
		__u64 value = r->v[i].v[counter];

		rsp_columns_put(&v->columns, RSP_COL_COUNTER_VALUE,
				value == RSP_COUNTER_ABSENT || value > INT64_MAX - 1
					? 0
					: (__s64)(value + 1));
	}
}

static int add_counter(struct rsp_viewer *v, const struct rsp_readings *r, unsigned int counter,
		       struct json_object *array)
{
	const struct rsp_counter_kind *kind = rsp_counter_kind(counter);
	struct json_object *o = json_object_new_object();

	if (rsp_json_append(array, o) < 0)
		return -ENOMEM;
	put_values(v, r, counter);
	return rsp_json_add_string(o, "key", kind->key) |
	       rsp_json_add_string(o, "text", kind->text) |
	       rsp_json_add_string(o, "unit", rsp_counter_unit_name(kind->unit));
}

static struct json_object *list_counters(struct rsp_viewer *v, const struct rsp_readings *r)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < r->cnt; i++)
		rsp_columns_put(&v->columns, RSP_COL_COUNTER_AT, rsp_viewer_time(v, r->v[i].at_ns));
	for (unsigned int i = 0; array && i < RSP_COUNTER_CNT; i++)
		if (rsp_readings_range(r, i).cnt && add_counter(v, r, i, array) < 0)
			return NULL;
	return rsp_take_ptr(array);
}

struct json_object *rsp_viewer_put_counters(struct rsp_viewer *v)
{
	struct rsp_readings readings;
	struct json_object *list;

	if (rsp_readings_make(v->model->trace, v->base_ns, v->end_ns, &readings) < 0)
		return NULL;
	list = list_counters(v, &readings);
	rsp_readings_done(&readings);
	return list;
}
