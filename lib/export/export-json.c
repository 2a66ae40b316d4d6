/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON to a stream. Only one element of an array at a time is in memory. */
#include <errno.h>
#include <stdio.h>

#include "lib/export/export-parts.h"

int rsp_export_add(struct json_object *o, const char *key, struct json_object *value)
{
	if (o)
		return rsp_json_add(o, key, value);
	json_object_put(value);
	return -ENOMEM;
}

int rsp_export_append(struct json_object *array, struct json_object *value)
{
	if (array)
		return rsp_json_append(array, value);
	json_object_put(value);
	return -ENOMEM;
}

int rsp_export_put_json(struct json_object *o, FILE *out)
{
	const char *text;
	size_t len;

	if (!o)
		return -ENOMEM;
	text = json_object_to_json_string_length(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (text)
		fwrite(text, 1, len, out);
	json_object_put(o);
	return text ? 0 : -ENOMEM;
}

int rsp_export_list_put(struct rsp_export_list *list, struct json_object *element)
{
	if (list->begun)
		fputs(",\n", list->out);
	list->begun = true;
	return rsp_export_put_json(element, list->out);
}

/*
 * A time of some months in nanoseconds has more digits than a double can hold, so the digits are
 * text.
 */
struct json_object *rsp_export_json_time(__u64 ns, unsigned int digits)
{
	char text[40];
	__u64 unit = 1;

	for (unsigned int i = 0; i < digits; i++)
		unit *= 10;
	snprintf(text, sizeof(text), "%llu.%0*llu", ns / unit, (int)digits, ns % unit);
	return json_object_new_double_s((double)ns / (double)unit, text);
}

struct json_object *rsp_export_json_text(const char *s)
{
	return json_object_new_string(s);
}

static struct json_object *notes_of(const struct rsp_export *x)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < x->note_cnt; i++)
		if (rsp_export_append(array, json_object_new_string(x->notes[i])) < 0)
			return NULL;
	return rsp_take_ptr(array);
}

struct json_object *rsp_export_json_about(const struct rsp_export *x)
{
	const struct rsp_meta *meta = &x->snap->meta;
	_cleanup_json_ struct json_object *o = json_object_new_object();
	int r = o ? 0 : -ENOMEM;

	if (r < 0)
		return NULL;
	r |= rsp_json_add_string(o, "recorder", "RSP " RSP_VERSION);
	r |= rsp_json_add_string(o, "snapshot", meta->id);
	r |= rsp_json_add_string(o, "host", meta->host);
	r |= rsp_json_add_string(o, "kernel", meta->kernel);
	r |= rsp_json_add_number(o, "target_pid", meta->target_pid);
	r |= rsp_export_add(o, "realtime_offset_ns",
			    json_object_new_int64(meta->realtime_offset_ns));
	r |= rsp_json_add_number(o, "since_ns", x->model->since_ns);
	r |= rsp_json_add_number(o, "until_ns", x->model->until_ns);
	r |= rsp_json_add_string(o, "headline", x->headline);
	if (x->explanation)
		r |= rsp_json_add_number(o, "total_ns", x->explanation->total_ns);
	r |= rsp_export_add(o, "incomplete", notes_of(x));
	return r ? NULL : rsp_take_ptr(o);
}
