/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the member "meta" of HEAD, which describes the whole recording. */
#include <errno.h>

#include "lib/base/json.h"
#include "lib/report/report-container.h"
#include "lib/report/report-words.h"
#include "lib/report/report.h"
#include "lib/viewer/viewer-parts.h"

static struct json_object *list_categories(void)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (int cat = 0; array && cat < RSP_CAT_MAX; cat++) {
		struct json_object *o = json_object_new_object();

		if (rsp_json_append(array, o) < 0 ||
		    rsp_json_add_string(o, "key", rsp_category_key(cat)) < 0 ||
		    rsp_json_add_string(o, "name", rsp_category_words(cat)->name) < 0 ||
		    rsp_json_add_string(o, "doing", rsp_category_words(cat)->activity) < 0 ||
		    rsp_json_add_string(o, "text", rsp_category_text(cat)) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static const char *const shed_words[RSP_SHED_CNT] = {
	[RSP_SHED_WAKER_STACKS] = "stacks of wakers",
	[RSP_SHED_HOT_STACKS] = "stacks of tasks that switch very often",
	[RSP_SHED_STACKS] = "most stacks",
	[RSP_SHED_SAMPLES] = "most samples",
	[RSP_SHED_SLICES] = "switches and wakeups",
};

static struct json_object *list_shed(const struct rsp_explanation *e)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (int step = RSP_SHED_NOTHING + 1; array && e && step < RSP_SHED_CNT; step++) {
		struct json_object *o;

		if (!e->shed_ns[step])
			continue;
		o = json_object_new_object();
		if (rsp_json_append(array, o) < 0 ||
		    rsp_json_add_string(o, "what", shed_words[step]) < 0 ||
		    rsp_json_add_number(o, "ns", e->shed_ns[step]) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static int add_times(struct json_object *o, const struct rsp_viewer *v)
{
	const struct rsp_meta *meta = &v->model->trace->snap->meta;
	/* May wrap around, but only for a damaged file. */
	__s64 realtime_ns = (__s64)(v->base_ns + (__u64)meta->realtime_offset_ns);
	char base[24];
	int r;

	snprintf(base, sizeof(base), "%llu", v->base_ns);
	r = rsp_json_add_string(o, "base_ns", base);
	r |= rsp_json_add(o, "realtime_ms", json_object_new_int64(realtime_ns / 1000000));
	r |= rsp_json_add_number(o, "end", v->end_ns - v->base_ns);
	r |= rsp_json_add_number(o, "since", (__u64)rsp_viewer_time(v, v->model->since_ns));
	r |= rsp_json_add_number(o, "until", (__u64)rsp_viewer_time(v, v->model->until_ns));
	return r;
}

static int add_snapshot(struct json_object *o, const struct rsp_viewer *v, const char *container)
{
	char line[RSP_CONTAINER_LINE_BYTES];
	const struct rsp_trace *trace = v->model->trace;
	const struct rsp_meta *meta = &trace->snap->meta;
	_cleanup_free_ char *trigger = NULL;
	int r = rsp_report_trigger(meta, &trigger);

	if (r < 0)
		return r;
	r |= rsp_json_add_string(o, "id", meta->id);
	r |= rsp_json_add_string(o, "host", meta->host);
	r |= rsp_json_add_string(o, "kernel", meta->kernel);
	r |= rsp_json_add_string(o, "version", meta->version);
	r |= rsp_json_add_string(o, "command", meta->command);
	r |= rsp_json_add_string(o, "trigger", trigger);
	r |= rsp_json_add_string(o, "container", rsp_container_line(container, line));
	r |= rsp_json_add_number(o, "pid", meta->target_pid);
	r |= rsp_json_add_number(o, "cpus", v->cpu_cnt);
	r |= rsp_json_add_number(o, "sample_hz", meta->sample_hz);
	r |= rsp_json_add_number(o, "events", trace->event_cnt);
	r |= rsp_json_add_number(o, "lost", trace->lost_cnt);
	r |= rsp_json_add_bool(o, "redacted", meta->redacted);
	r |= rsp_json_add_bool(o, "truncated", trace->snap->truncated || trace->bad_cnt);
	return r;
}

struct json_object *rsp_viewer_meta(const struct rsp_viewer *v, const struct rsp_explanation *e)
{
	_cleanup_json_ struct json_object *o = json_object_new_object();

	if (!o || add_times(o, v) < 0 || add_snapshot(o, v, e ? e->container : NULL) < 0 ||
	    rsp_json_add(o, "shed", list_shed(e)) < 0 ||
	    rsp_json_add(o, "categories", list_categories()) < 0 ||
	    rsp_json_add(o, "target", json_object_new_int(e ? 0 : -1)) < 0 ||
	    rsp_json_add_number(o, "bins", v->columns.v[RSP_COL_STRIP_CPU].cnt) < 0)
		return NULL;
	return rsp_take_ptr(o);
}
