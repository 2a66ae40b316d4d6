/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl summary: shows the newest of the summaries that the recorder makes at intervals. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/reply.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/json.h"
#include "lib/model/explain/explain.h"
#include "rsp/summary.h"

#define TIMEOUT_MS 10000

/* --- the newest summary ----------------------------------------------------------------------- */

static int fill_parameters(struct json_object *o, const void *from)
{
	struct json_object *s = (struct json_object *)from;
	int r = rsp_json_add_string(o, "boot", rsp_reply_text(s, "boot"));

	return r | rsp_json_add_number(o, "after", rsp_reply_number(s, "made") - 1);
}

/*
 * s: the member "summaries" of the status. If the recorder has restarted since then, the function
 * returns all summaries since the restart.
 */
static int fetch(const struct rsp_options *opt, struct json_object *s, struct json_object **ret)
{
	_cleanup_json_ struct json_object *reply = NULL;
	struct rsp_client *client;
	struct json_object *entry;
	const char *text;
	int r = rsp_service_connect(opt, &client);

	if (r)
		return r;
	r = rsp_client_call(client, "io.rsp.Recorder.Summaries",
			    rsp_json_object_of(fill_parameters, s), TIMEOUT_MS, &reply, NULL);
	if (r < 0)
		r = rsp_fail(r, "cannot get summaries: %s", rsp_client_error(client, r));
	rsp_client_free(client);
	if (r)
		return r;
	entry = rsp_reply_at(reply, "summaries", rsp_reply_cnt(reply, "summaries") - 1);
	text = rsp_reply_text(entry, "json");
	if (rsp_json_parse(text, strlen(text), 16, ret) < 0)
		return rsp_fail(-EBADMSG, "the recorder's summary is damaged");
	return RSP_EXIT_OK;
}

static int get_newest(const struct rsp_options *opt, struct json_object **ret)
{
	_cleanup_json_ struct json_object *status = NULL;
	struct json_object *s;
	int r = rsp_service_status(opt, &status);

	if (r)
		return r;
	s = rsp_reply_object(status, "summaries");
	if (!rsp_reply_number(s, "every_ns"))
		return rsp_fail(-ENOENT, "the recorder makes no summaries: set Every= in section "
					 "[Summary] of rspd.conf(5), and reload rspd");
	if (!rsp_reply_number(s, "made"))
		return rsp_fail(-ENOENT,
				"the recorder has made no summary yet: the first one comes "
				"at a random moment of the first interval");
	return fetch(opt, s, ret);
}

/* --- for people ------------------------------------------------------------------------------- */

static const struct {
	const char *title;
	unsigned int categories; /* bits of enum rsp_category */
} columns[] = {
	{"COMPUTING", 1 << RSP_CAT_RUNNING_SAMPLED | 1 << RSP_CAT_RUNNING_UNSAMPLED},
	{"CPU QUEUE", 1 << RSP_CAT_RUNQUEUE | 1 << RSP_CAT_PREEMPTED},
	{"DISK", 1 << RSP_CAT_DISK_ACTIVE | 1 << RSP_CAT_DISK_QUEUED},
	{"NETWORK", 1 << RSP_CAT_NETWORK},
	{"SLEEPING", 1 << RSP_CAT_SLEEP | 1 << RSP_CAT_TIMEOUT},
};
#define COLUMN_CNT (sizeof(columns) / sizeof(columns[0]))

static unsigned long long sum_of(struct json_object *unit, unsigned int categories)
{
	struct json_object *ns = rsp_reply_object(unit, "categories");
	unsigned long long sum = 0;

	for (unsigned int cat = 0; cat < RSP_CAT_MAX; cat++)
		if (categories >> cat & 1)
			sum += rsp_reply_number(ns, rsp_category_key(cat));
	return sum;
}

static unsigned long long busy_ns(struct json_object *unit)
{
	return rsp_reply_number(unit, "total_ns") - sum_of(unit, 1 << RSP_CAT_IDLE);
}

static const char *name_of(struct json_object *unit)
{
	const char *name = rsp_reply_text(unit, "unit"), *cgroup = rsp_reply_text(unit, "cgroup");

	if (*name)
		return name;
	return *cgroup ? cgroup : "(unknown cgroup)";
}

static void add_share(struct rsp_table *t, unsigned long long part, unsigned long long whole)
{
	char share[RSP_FORMAT_MAX];

	rsp_table_add(t, "%s", part ? rsp_format_share(part, whole, share, sizeof(share)) : "-");
}

static void add_unit(struct rsp_table *t, struct json_object *unit)
{
	char name[RSP_FORMAT_NAME_BYTES(40)], ns[RSP_FORMAT_MAX];
	unsigned long long busy = busy_ns(unit);

	rsp_table_add(t, "%s", rsp_format_name(name_of(unit), 40, name, sizeof(name)));
	rsp_table_add(t, "%llu", rsp_reply_number(unit, "threads"));
	for (size_t i = 0; i < COLUMN_CNT; i++)
		add_share(t, sum_of(unit, columns[i].categories), busy);
	rsp_table_add(t, "%s", rsp_format_ns(busy, ns, sizeof(ns)));
}

static int print_table(struct json_object *summary)
{
	_cleanup_(rsp_table_done) struct rsp_table t;

	rsp_table_init(&t, COLUMN_CNT + 3);
	rsp_table_add(&t, "UNIT");
	rsp_table_add(&t, "THREADS");
	for (size_t i = 0; i < COLUMN_CNT; i++)
		rsp_table_add(&t, "%s", columns[i].title);
	rsp_table_add(&t, "OF");
	for (size_t i = 0; i < rsp_reply_cnt(summary, "units"); i++) {
		struct json_object *unit = rsp_reply_at(summary, "units", i);

		if (busy_ns(unit))
			add_unit(&t, unit);
	}
	return rsp_table_print(&t);
}

static void print_requests(const char *unit, struct json_object *row)
{
	char comm[RSP_FORMAT_NAME_BYTES(20)], p50[RSP_FORMAT_MAX], p99[RSP_FORMAT_MAX];
	unsigned long long answered = rsp_reply_number(row, "answered");

	printf("%s: %s answered %llu request%s", unit,
	       rsp_format_name(rsp_reply_text(row, "comm"), 20, comm, sizeof(comm)), answered,
	       answered == 1 ? "" : "s");
	if (rsp_reply_number(row, "port"))
		printf(" on port %llu", rsp_reply_number(row, "port"));
	if (answered)
		printf(": median %s, p99 %s",
		       rsp_format_ns(rsp_reply_number(row, "p50_ns"), p50, sizeof(p50)),
		       rsp_format_ns(rsp_reply_number(row, "p99_ns"), p99, sizeof(p99)));
	if (rsp_reply_number(row, "pending"))
		printf("; %llu without an answer", rsp_reply_number(row, "pending"));
	puts(".");
}

static void print_causes(struct json_object *summary)
{
	for (size_t i = 0; i < rsp_reply_cnt(summary, "units"); i++) {
		struct json_object *unit = rsp_reply_at(summary, "units", i);
		char name[RSP_FORMAT_NAME_BYTES(40)], cause[RSP_FORMAT_NAME_BYTES(400)];

		rsp_format_name(name_of(unit), 40, name, sizeof(name));
		if (*rsp_reply_text(unit, "cause"))
			printf("%s: %s\n", name,
			       rsp_format_name(rsp_reply_text(unit, "cause"), 400, cause,
					       sizeof(cause)));
		for (size_t j = 0; j < rsp_reply_cnt(unit, "requests"); j++)
			print_requests(name, rsp_reply_at(unit, "requests", j));
	}
}

static int print_summary(struct json_object *summary)
{
	unsigned long long since_ns = rsp_reply_number(summary, "since_ns");
	unsigned long long until_ns = rsp_reply_number(summary, "until_ns");
	unsigned long long recorded_ns = rsp_reply_number(summary, "recorded_ns");
	char at[RSP_OUTPUT_TIME_MAX], span[RSP_FORMAT_MAX], recorded[RSP_FORMAT_MAX];
	int r;

	printf("%s until %s", rsp_format_ns(until_ns - since_ns, span, sizeof(span)),
	       rsp_output_time((int64_t)rsp_reply_number(summary, "realtime_ns"), at));
	if (recorded_ns < until_ns - since_ns)
		printf(", of which %s were recorded",
		       rsp_format_ns(recorded_ns, recorded, sizeof(recorded)));
	if (rsp_reply_number(summary, "lost"))
		printf("; %llu records were lost", rsp_reply_number(summary, "lost"));
	puts("; shares of the time in which threads were not idle:\n");
	r = print_table(summary);
	if (r)
		return r;
	puts("");
	print_causes(summary);
	if (rsp_reply_number(summary, "left_out"))
		printf("%llu units with less time are left out.\n",
		       rsp_reply_number(summary, "left_out"));
	return rsp_output_flush();
}

int rsp_verb_summary(const struct rsp_options *opt)
{
	_cleanup_json_ struct json_object *summary = NULL;
	int r = get_newest(opt, &summary);

	if (r)
		return r;
	if (opt->json != RSP_JSON_OFF)
		return rsp_output_json(json_object_get(summary), opt->json);
	return print_summary(summary);
}
