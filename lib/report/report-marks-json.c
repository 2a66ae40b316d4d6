/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes marks and counters as JSON. docs/json-report.md documents each field. */
#include "lib/report/report-marks-json.h"

#include <errno.h>
#include <json-c/json.h>

#include "lib/base/json.h"
#include "lib/report/report-marks.h"

static int fill_mark(struct json_object *o, const void *from)
{
	const struct rsp_ev_mark *mark = *(const struct rsp_ev_mark *const *)from;
	int r = rsp_json_add_number(o, "at_ns", mark->hdr.ts_ns);

	r |= rsp_json_add_string(o, "kind", rsp_mark_key(mark));
	r |= rsp_json_add_string(o, "text", mark->text);
	if (mark->from_ns)
		r |= rsp_json_add_number(o, "from_ns", mark->from_ns);
	if (mark->hdr.flags == RSP_MARK_TEXT)
		r |= rsp_json_add_number(o, "uid", mark->uid);
	if (mark->tgid)
		r |= rsp_json_add_number(o, "pid", mark->tgid);
	if (mark->cnt)
		r |= rsp_json_add_number(o, "count", mark->cnt);
	return r;
}

struct counter {
	const struct rsp_readings *readings;
	unsigned int number;
};

static struct json_object *list_values(const struct counter *c)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < c->readings->cnt; i++) {
		const struct rsp_reading *reading = &c->readings->v[i];
		struct json_object *o;

		if (reading->v[c->number] == RSP_COUNTER_ABSENT)
			continue;
		o = json_object_new_object();
		if (rsp_json_append(array, o) < 0 ||
		    rsp_json_add_number(o, "at_ns", reading->at_ns) < 0 ||
		    rsp_json_add_number(o, "value", reading->v[c->number]) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static int fill_counter(struct json_object *o, const void *from)
{
	const struct counter *c = from;
	const struct rsp_counter_kind *kind = rsp_counter_kind(c->number);
	struct rsp_range range = rsp_readings_range(c->readings, c->number);
	int r = rsp_json_add_string(o, "name", kind->key);

	r |= rsp_json_add_string(o, "unit", rsp_counter_unit_name(kind->unit));
	r |= rsp_json_add_number(o, "min", range.min);
	r |= rsp_json_add_number(o, "mean", range.mean);
	r |= rsp_json_add_number(o, "max", range.max);
	return r | rsp_json_add(o, "readings", list_values(c));
}

static struct json_object *list_counters(const struct rsp_readings *readings)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; array && i < RSP_COUNTER_CNT; i++) {
		struct counter c = {readings, i};

		if (rsp_readings_range(readings, i).cnt &&
		    rsp_json_append(array, rsp_json_object_of(fill_counter, &c)) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

int rsp_json_add_marks(struct json_object *o, const struct rsp_explanation *e)
{
	const struct rsp_trace *trace = e->trace;
	struct rsp_readings readings;
	int r = 0;

	if (trace && trace->marks.cnt)
		r = rsp_json_add(o, "marks",
				 RSP_JSON_ARRAY_OF(fill_mark, trace->marks.v, trace->marks.cnt));
	if (r < 0 || !trace || !trace->counters.cnt)
		return r;
	r = rsp_report_readings(e, &readings);
	if (r == 0 && readings.cnt)
		r = rsp_json_add(o, "counters", list_counters(&readings));
	if (r == 0)
		rsp_readings_done(&readings);
	return r;
}
