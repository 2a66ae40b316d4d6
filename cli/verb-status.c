/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl status: what the running recorder holds, and what it lost. */
#include <json-c/json.h>
#include <stdio.h>

#include "cli/abilities.h"
#include "cli/output.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"

static void put_object(struct json_object **o)
{
	json_object_put(*o);
}

static uint64_t number(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return json_object_get_uint64(value);
}

static void add_recorder(struct rsp_table *t, struct json_object *status)
{
	struct json_object *version = NULL;
	char buf[RSP_FORMAT_MAX];

	json_object_object_get_ex(status, "version", &version);
	rsp_table_add(t, "Recorder:");
	rsp_table_add(t, "rspd %s, process %llu, for %s", json_object_get_string(version),
		      (unsigned long long)number(status, "pid"),
		      rsp_format_ns(number(status, "uptime_ns"), buf, sizeof(buf)));
}

static void add_window(struct rsp_table *t, struct json_object *status)
{
	struct json_object *window = NULL;
	char held[RSP_FORMAT_MAX], budget[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	json_object_object_get_ex(status, "window", &window);
	rsp_table_add(t, "Window:");
	rsp_table_add(t, "the last %s in %s of %s",
		      rsp_format_ns(number(window, "newest_ns") - number(window, "oldest_ns"), span,
				    sizeof(span)),
		      rsp_format_bytes(number(window, "bytes"), held, sizeof(held)),
		      rsp_format_bytes(number(window, "budget_bytes"), budget, sizeof(budget)));
}

static void add_records(struct rsp_table *t, struct json_object *status)
{
	struct json_object *by_kind = NULL;

	rsp_table_add(t, "Records:");
	rsp_table_add(t, "%llu, %llu lost, %llu bad", (unsigned long long)number(status, "events"),
		      (unsigned long long)number(status, "lost"),
		      (unsigned long long)number(status, "bad"));
	if (!json_object_object_get_ex(status, "by_kind", &by_kind))
		return;
	json_object_object_foreach (by_kind, kind, cnt) {
		rsp_table_add(t, "  %s", kind);
		rsp_table_add(t, "%llu", (unsigned long long)json_object_get_uint64(cnt));
	}
}

static int print_status(struct json_object *status)
{
	_cleanup_(rsp_table_done) struct rsp_table t;
	struct json_object *abilities = NULL;
	int r, missing;

	rsp_table_init(&t, 2);
	add_recorder(&t, status);
	add_window(&t, status);
	add_records(&t, status);
	r = rsp_table_print(&t);
	if (r || !json_object_object_get_ex(status, "abilities", &abilities) ||
	    !json_object_is_type(abilities, json_type_array))
		return r;
	puts("");
	return rsp_abilities_print(abilities, true, &missing);
}

int rsp_verb_status(const struct rsp_options *opt)
{
	_cleanup_(put_object) struct json_object *status = NULL;
	int r;

	r = rsp_service_status(opt, &status);
	if (r)
		return r;
	if (opt->json != RSP_JSON_OFF)
		return rsp_output_json(json_object_get(status), opt->json);
	return print_status(status);
}
