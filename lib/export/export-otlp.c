/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes OTLP as a file of JSON lines. One trace contains the control paths and their hops as
 * spans. Other traces contain calls and the requests that they caused. The summary and each note
 * are log records.
 */
#include "lib/export/otlp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

#define SPANS_PER_LINE 256
#define SEVERITY_INFO  9
#define SEVERITY_WARN  13

/* --- JSON of OTLP ----------------------------------------------------------------------------- */

static void check(struct rsp_otlp *o, int r)
{
	if (r < 0)
		o->error = r;
}

void rsp_otlp_add(struct rsp_otlp *o, struct json_object *to, const char *key,
		  struct json_object *value)
{
	check(o, rsp_export_add(to, key, value));
}

/* The JSON mapping of protobuf requires strings for 64-bit numbers. */
static struct json_object *number(__u64 n)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", n);
	return json_object_new_string(text);
}

static void add_value(struct rsp_otlp *o, struct json_object *attributes, const char *key,
		      const char *type, struct json_object *content)
{
	struct json_object *pair = json_object_new_object(), *value = json_object_new_object();

	rsp_otlp_add(o, value, type, content);
	rsp_otlp_add(o, pair, "key", json_object_new_string(key));
	rsp_otlp_add(o, pair, "value", value);
	check(o, rsp_export_append(attributes, pair));
}

void rsp_otlp_text(struct rsp_otlp *o, struct json_object *attributes, const char *key,
		   const char *text)
{
	if (*text)
		add_value(o, attributes, key, "stringValue", rsp_export_json_text(text));
}

void rsp_otlp_number(struct rsp_otlp *o, struct json_object *attributes, const char *key, __u64 n)
{
	add_value(o, attributes, key, "intValue", number(n));
}

void rsp_otlp_flag(struct rsp_otlp *o, struct json_object *attributes, const char *key)
{
	add_value(o, attributes, key, "boolValue", json_object_new_boolean(true));
}

static struct json_object *span_id(__u64 id)
{
	char text[24];

	snprintf(text, sizeof(text), "%016llx", id);
	return json_object_new_string(text);
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct json_object *resource(struct rsp_otlp *o, const char *service, __u32 pid)
{
	struct json_object *resource = json_object_new_object();
	struct json_object *attributes = json_object_new_array();

	rsp_otlp_text(o, attributes, "service.name", service);
	if (pid)
		rsp_otlp_number(o, attributes, "process.pid", pid);
	rsp_otlp_text(o, attributes, "host.name", o->x->snap->meta.host);
	rsp_otlp_text(o, attributes, "os.type", "linux");
	rsp_otlp_add(o, resource, "attributes", attributes);
	return resource;
}

static struct json_object *scope(struct rsp_otlp *o)
{
	struct json_object *scope = json_object_new_object();

	rsp_otlp_add(o, scope, "name", json_object_new_string("RSP"));
	rsp_otlp_add(o, scope, "version", json_object_new_string(RSP_VERSION));
	return scope;
}

/* The resource names the process to which the list of spans or log records belongs. */
static struct json_object *wrap(struct rsp_otlp *o, const char *service, __u32 pid,
				const char *scopes, const char *list, struct json_object *things)
{
	struct json_object *outer = json_object_new_object(), *inner = json_object_new_object();
	struct json_object *array = json_object_new_array();

	rsp_otlp_add(o, inner, "scope", scope(o));
	rsp_otlp_add(o, inner, list, things);
	check(o, rsp_export_append(array, inner));
	rsp_otlp_add(o, outer, "resource", resource(o, service, pid));
	rsp_otlp_add(o, outer, scopes, array);
	return outer;
}

static void put_line(struct rsp_otlp *o, const char *key, struct json_object *array)
{
	struct json_object *line = json_object_new_object();

	rsp_otlp_add(o, line, key, array);
	check(o, rsp_export_put_json(line, o->out));
	fputc('\n', o->out);
}

static void end_process(struct rsp_otlp *o)
{
	if (!o->spans)
		return;
	check(o, rsp_export_append(o->line, wrap(o, o->service, o->pid, "scopeSpans", "spans",
						 rsp_take_ptr(o->spans))));
}

static void flush(struct rsp_otlp *o)
{
	end_process(o);
	if (o->line)
		put_line(o, "resourceSpans", rsp_take_ptr(o->line));
	o->span_cnt = 0;
}

void rsp_otlp_put_span(struct rsp_otlp *o, const char *service, __u32 pid, struct json_object *span)
{
	if (o->span_cnt++ == SPANS_PER_LINE)
		flush(o);
	if (o->spans && (o->pid != pid || strcmp(o->service, service) != 0))
		end_process(o);
	if (!o->line)
		o->line = json_object_new_array();
	if (!o->spans)
		o->spans = json_object_new_array();
	o->service = service;
	o->pid = pid;
	check(o, rsp_export_append(o->spans, span));
}

struct json_object *rsp_otlp_span(struct rsp_otlp *o, const struct rsp_otlp_span *s)
{
	struct json_object *span = json_object_new_object();

	rsp_otlp_add(o, span, "traceId", json_object_new_string(s->trace_id));
	rsp_otlp_add(o, span, "spanId", span_id(s->id));
	if (s->parent)
		rsp_otlp_add(o, span, "parentSpanId", span_id(s->parent));
	rsp_otlp_add(o, span, "name", rsp_export_json_text(s->name));
	rsp_otlp_add(o, span, "kind", json_object_new_int(s->kind));
	rsp_otlp_add(o, span, "startTimeUnixNano", number(rsp_export_realtime(o->x, s->from_ns)));
	rsp_otlp_add(o, span, "endTimeUnixNano", number(rsp_export_realtime(o->x, s->to_ns)));
	return span;
}

void rsp_otlp_link(struct rsp_otlp *o, struct json_object *span, __u64 id)
{
	struct json_object *links = json_object_new_array(), *link = json_object_new_object();

	rsp_otlp_add(o, link, "traceId", json_object_new_string(o->trace_id));
	rsp_otlp_add(o, link, "spanId", span_id(id));
	check(o, rsp_export_append(links, link));
	rsp_otlp_add(o, span, "links", links);
}

/* --- the summary ------------------------------------------------------------------------------ */

void rsp_otlp_totals(struct rsp_otlp *o, struct json_object *attributes)
{
	const struct rsp_explanation *e = o->x->explanation;
	char key[64];

	rsp_otlp_text(o, attributes, "rsp.snapshot", o->x->snap->meta.id);
	if (!e)
		return;
	rsp_otlp_number(o, attributes, "rsp.total_ns", e->total_ns);
	for (int cat = 0; cat < RSP_CAT_MAX; cat++) {
		snprintf(key, sizeof(key), "rsp.%s_ns", rsp_category_key(cat));
		rsp_otlp_number(o, attributes, key, e->cat_ns[cat]);
	}
}

static void add_record(struct rsp_otlp *o, struct json_object *records, int severity,
		       const char *text)
{
	struct json_object *record = json_object_new_object(), *body = json_object_new_object();
	struct json_object *attributes = json_object_new_array();

	rsp_otlp_totals(o, attributes);
	rsp_otlp_add(o, body, "stringValue", rsp_export_json_text(text));
	rsp_otlp_add(o, record, "timeUnixNano",
		     number(rsp_export_realtime(o->x, o->x->model->until_ns)));
	rsp_otlp_add(o, record, "severityNumber", json_object_new_int(severity));
	rsp_otlp_add(o, record, "body", body);
	rsp_otlp_add(o, record, "attributes", attributes);
	rsp_otlp_add(o, record, "traceId", json_object_new_string(o->trace_id));
	rsp_otlp_add(o, record, "spanId", span_id(RSP_OTLP_ROOT));
	check(o, rsp_export_append(records, record));
}

static void put_summary(struct rsp_otlp *o)
{
	struct json_object *records = json_object_new_array(), *line = json_object_new_array();
	const struct rsp_explanation *e = o->x->explanation;
	char text[300];

	if (*o->x->headline)
		add_record(o, records, SEVERITY_INFO, o->x->headline);
	for (size_t i = 0; i < o->x->note_cnt; i++) {
		snprintf(text, sizeof(text), "incomplete: %s", o->x->notes[i]);
		add_record(o, records, SEVERITY_WARN, text);
	}
	check(o, rsp_export_append(line, wrap(o, e ? rsp_export_text(o->x, e->comm) : "RSP",
					      e ? e->meta->target_pid : 0, "scopeLogs",
					      "logRecords", records)));
	put_line(o, "resourceLogs", line);
}

/* ---------------------------------------------------------------------------------------------- */

/* In a damaged snapshot, the id may be any text. A trace id must not be all zeroes. */
static void make_trace_id(struct rsp_otlp *o)
{
	static const char hex[] = "0123456789abcdef";
	const char *id = o->x->snap->meta.id;

	if (strlen(id) == 32 && strspn(id, hex) == 32 && strspn(id, "0") < 32)
		strcpy(o->trace_id, id);
	else
		snprintf(o->trace_id, sizeof(o->trace_id), "%016llx%016llx",
			 rsp_export_realtime(o->x, o->x->model->since_ns), 1ULL);
}

int rsp_export_otlp(struct rsp_export *x, FILE *out)
{
	struct rsp_otlp o = {.x = x, .out = out};

	make_trace_id(&o);
	put_summary(&o);
	rsp_otlp_put_paths(&o);
	rsp_otlp_put_requests(&o);
	flush(&o);
	return o.error;
}
