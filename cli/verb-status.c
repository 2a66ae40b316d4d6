/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl status: what the running recorder holds, and what it lost. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

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

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value;
}

static void add_window(struct rsp_table *t, struct json_object *status)
{
	struct json_object *window = member(status, "window");
	uint64_t switches = number(window, "held_switches"), events = number(window, "held_events");
	char held[RSP_FORMAT_MAX], budget[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	rsp_table_add(t, "Window:");
	rsp_table_add(t, "the last %s in %s of %s",
		      rsp_format_ns(number(window, "newest_ns") - number(window, "oldest_ns"), span,
				    sizeof(span)),
		      rsp_format_bytes(number(window, "bytes"), held, sizeof(held)),
		      rsp_format_bytes(number(window, "budget_bytes"), budget, sizeof(budget)));
	rsp_table_add(t, "%s", "");
	rsp_table_add(t, "%llu events, %.1f bytes each; %llu of them switches and wakeups",
		      (unsigned long long)events,
		      events ? (double)number(window, "event_bytes") / (double)events : 0,
		      (unsigned long long)switches);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "99.97 % complete of 12345, pending 3" */
static void add_ended(struct rsp_table *t, struct json_object *ended)
{
	char early[256] = "";
	uint64_t all = 0;
	size_t len = 0;

	json_object_object_foreach (ended, end, cnt) {
		uint64_t n = json_object_get_uint64(cnt);

		all += n;
		if (n && strcmp(end, "complete") != 0 && len < sizeof(early))
			len += (size_t)snprintf(early + len, sizeof(early) - len, ", %s %llu", end,
						(unsigned long long)n);
	}
	rsp_table_add(t, "User stacks:");
	rsp_table_add(t, "%.2f %% complete of %llu%s", percent(number(ended, "complete"), all),
		      (unsigned long long)all, early);
}

/* What was taken over from before, and how often a look showed that wrong. */
static void add_share(struct rsp_table *t, const char *what, uint64_t part, uint64_t whole,
		      uint64_t wrong, uint64_t checked)
{
	rsp_table_add(t, "%s", "");
	rsp_table_add(t, "%.1f %% %s; of %llu checked %llu wrong", percent(part, whole), what,
		      (unsigned long long)checked, (unsigned long long)wrong);
}

static void add_stacks(struct rsp_table *t, struct json_object *status)
{
	struct json_object *stacks = member(status, "stacks"), *tables = member(status, "tables");
	uint64_t complete = number(member(stacks, "ended"), "complete");
	uint64_t walked = number(stacks, "walked"), unwound = number(stacks, "unwound");
	char bytes[RSP_FORMAT_MAX];

	add_ended(t, member(stacks, "ended"));
	add_share(t, "of these repeated", number(stacks, "repeated"), complete,
		  number(stacks, "repeated_wrong"), number(stacks, "repeated_checked"));
	rsp_table_add(t, "Kernel stacks:");
	rsp_table_add(t, "%llu", (unsigned long long)(walked + unwound));
	add_share(t, "walked", walked, walked + unwound, number(stacks, "walked_wrong"),
		  number(stacks, "walked_checked"));
	rsp_table_add(t, "Tables:");
	rsp_table_add(t, "%llu for %llu binaries, %s; %llu refused, %llu evicted",
		      (unsigned long long)number(tables, "tables"),
		      (unsigned long long)number(tables, "binaries"),
		      rsp_format_bytes(number(tables, "bytes"), bytes, sizeof(bytes)),
		      (unsigned long long)number(tables, "refused"),
		      (unsigned long long)number(tables, "evicted"));
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
	add_stacks(&t, status);
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
