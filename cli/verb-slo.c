/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl slo list: lists the limits that the recorder checks, and its measurements. rspctl slo test
 * NAME: watches the measurements for a while, and reports how many of them exceed the limit. rspctl
 * trigger NAME: takes a snapshot as if the limit had been exceeded.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/output.h"
#include "cli/reply.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"

#define TRIGGER_TIMEOUT_MS 10000

static void put_object(struct json_object **o)
{
	json_object_put(*o);
}

static struct json_object *find(struct json_object *status, const char *name)
{
	for (size_t i = 0; i < rsp_reply_cnt(status, "slos"); i++) {
		struct json_object *slo = rsp_reply_at(status, "slos", i);

		if (!strcmp(rsp_reply_text(slo, "name"), name))
			return slo;
	}
	return NULL;
}

static int no_such_slo(const char *name)
{
	return rsp_fail(-ENOENT, "there is no SLO '%s': see 'rspctl slo list' and rspd.conf(5)",
			name);
}

/* --- list ------------------------------------------------------------------------------------- */

/*
 * Writes text like "p99 > 250 ms in 10.0 s", or "> 250 ms" if the limit applies to single
 * measurements.
 */
static const char *limit(struct json_object *slo, char *buf, size_t len)
{
	char threshold[RSP_FORMAT_MAX], over[RSP_FORMAT_MAX];
	uint64_t quantile = rsp_reply_number(slo, "quantile_ppm"),
		 over_ns = rsp_reply_number(slo, "over_ns");
	size_t n = 0;

	rsp_format_ns(rsp_reply_number(slo, "threshold_ns"), threshold, sizeof(threshold));
	if (quantile)
		n = (size_t)snprintf(buf, len, "p%g ", (double)quantile / 1e4);
	n += (size_t)snprintf(buf + n, len - n, "> %s", threshold);
	if (over_ns)
		snprintf(buf + n, len - n, " in %s", rsp_format_ns(over_ns, over, sizeof(over)));
	return buf;
}

static const char *last_breach(struct json_object *slo, uint64_t now_ns, char *buf, size_t len)
{
	uint64_t last_ns = rsp_reply_number(slo, "last_breach_ns");
	char age[RSP_FORMAT_MAX];

	if (!last_ns || last_ns > now_ns)
		return last_ns ? "now" : "-";
	snprintf(buf, len, "%s ago", rsp_format_ns(now_ns - last_ns, age, sizeof(age)));
	return buf;
}

static void add_row(struct rsp_table *t, struct json_object *slo, uint64_t now_ns)
{
	const char *subject = rsp_reply_text(slo, "subject"), *why = rsp_reply_text(slo, "why");
	char buf[96], max[RSP_FORMAT_MAX];
	uint64_t cnt = rsp_reply_number(slo, "cnt");

	rsp_table_add(t, "%s", rsp_reply_text(slo, "name"));
	rsp_table_add(t, "%s", rsp_reply_text(slo, "measure"));
	rsp_table_add(t, "%s", subject[0] ? subject : "all");
	rsp_table_add(t, "%s", limit(slo, buf, sizeof(buf)));
	if (!rsp_reply_bool(slo, "measured"))
		rsp_table_add(t, "not measured%s%s", why[0] ? ": " : "", why);
	else if (cnt)
		rsp_table_add(t, "%llu, max %s", (unsigned long long)cnt,
			      rsp_format_ns(rsp_reply_number(slo, "max_ns"), max, sizeof(max)));
	else
		rsp_table_add(t, "-");
	rsp_table_add(t, "%llu", (unsigned long long)rsp_reply_number(slo, "breach_cnt"));
	rsp_table_add(t, "%s", last_breach(slo, now_ns, buf, sizeof(buf)));
}

static int list(const struct rsp_options *opt, struct json_object *status)
{
	static const char *const head[] = {"NAME",     "MEASURE",  "OF",  "LIMIT",
					   "MEASURED", "BREACHES", "LAST"};
	size_t cnt = rsp_reply_cnt(status, "slos");
	_cleanup_(rsp_table_done) struct rsp_table t = {0};

	if (opt->json != RSP_JSON_OFF)
		return rsp_output_json(json_object_get(rsp_reply_member(status, "slos")),
				       opt->json);
	if (!cnt)
		return rsp_fail(-ENOENT, "no SLO is configured: see rspd.conf(5)");
	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; opt->legend && i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < cnt; i++)
		add_row(&t, rsp_reply_at(status, "slos", i), rsp_reply_number(status, "now_ns"));
	return rsp_table_print(&t);
}

/* --- test ------------------------------------------------------------------------------------- */

static uint64_t bucket_cnt(struct json_object *slo, struct json_object *le)
{
	for (size_t i = 0; i < rsp_reply_cnt(slo, "buckets"); i++) {
		struct json_object *b = rsp_reply_at(slo, "buckets", i);

		if (json_object_equal(rsp_reply_member(b, "le_ns"), le))
			return rsp_reply_number(b, "cnt");
	}
	return 0;
}

/*
 * Returns the upper bound of the bucket that contains the quantile, or 0 if this bucket has no
 * bound.
 */
static uint64_t quantile_ns(struct json_object *before, struct json_object *after,
			    unsigned int percent)
{
	uint64_t cnt = rsp_reply_number(after, "cnt") - rsp_reply_number(before, "cnt"), seen = 0;
	uint64_t rank = (cnt * percent + 99) / 100;

	for (size_t i = 0; i < rsp_reply_cnt(after, "buckets"); i++) {
		struct json_object *b = rsp_reply_at(after, "buckets", i);
		struct json_object *le = rsp_reply_member(b, "le_ns");

		seen += rsp_reply_number(b, "cnt") - bucket_cnt(before, le);
		if (seen >= rank)
			return json_object_get_uint64(le);
	}
	return 0;
}

static void print_quantiles(struct json_object *before, struct json_object *after)
{
	static const unsigned int percents[] = {50, 90, 99};
	char buf[RSP_FORMAT_MAX];

	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		uint64_t ns = quantile_ns(before, after, percents[i]);

		printf("%sp%u %s %s", i ? ", " : "", percents[i], ns ? "up to" : "beyond",
		       ns ? rsp_format_ns(ns, buf, sizeof(buf)) : "all buckets");
	}
	puts("");
}

static int print_test(struct json_object *before, struct json_object *after, uint64_t span_ns)
{
	uint64_t cnt = rsp_reply_number(after, "cnt") - rsp_reply_number(before, "cnt");
	uint64_t over_cnt = rsp_reply_number(after, "over_cnt") -
			    rsp_reply_number(before, "over_cnt");
	uint64_t breach_cnt = rsp_reply_number(after, "breach_cnt") -
			      rsp_reply_number(before, "breach_cnt");
	uint64_t suppressed_cnt = rsp_reply_number(after, "suppressed_cnt") -
				  rsp_reply_number(before, "suppressed_cnt");
	char span[RSP_FORMAT_MAX], buf[96];

	rsp_format_ns(span_ns, span, sizeof(span));
	if (!rsp_reply_bool(after, "measured"))
		return rsp_fail(-ENOENT, "SLO %s is not measured: %s",
				rsp_reply_text(after, "name"),
				rsp_reply_text(after, "why")[0] ? rsp_reply_text(after, "why")
								: "no such process is running");
	if (!strcmp(rsp_reply_text(after, "measure"), "psi"))
		printf("%s: breached %llu times in %s (limit: %s).\n",
		       rsp_reply_text(after, "name"),
		       (unsigned long long)(breach_cnt + suppressed_cnt), span,
		       limit(after, buf, sizeof(buf)));
	else if (!cnt)
		printf("%s: nothing to measure occurred in %s (limit: %s).\n",
		       rsp_reply_text(after, "name"), span, limit(after, buf, sizeof(buf)));
	else
		printf("%s: %llu of %llu were above the limit in %s (limit: %s).\n",
		       rsp_reply_text(after, "name"), (unsigned long long)over_cnt,
		       (unsigned long long)cnt, span, limit(after, buf, sizeof(buf)));
	if (cnt)
		print_quantiles(before, after);
	if (breach_cnt || suppressed_cnt)
		printf("Snapshots taken: %llu; not taken because of the cooldown: %llu.\n",
		       (unsigned long long)breach_cnt, (unsigned long long)suppressed_cnt);
	return rsp_output_flush();
}

static void wait_for(uint64_t ns)
{
	struct timespec ts = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

static int test(const struct rsp_options *opt, const char *name)
{
	_cleanup_(put_object) struct json_object *before = NULL, *after = NULL;
	int r = rsp_service_status(opt, &before);

	if (r)
		return r;
	if (!find(before, name))
		return no_such_slo(name);
	wait_for(opt->last_ns);
	r = rsp_service_status(opt, &after);
	if (r)
		return r;
	if (!find(after, name))
		return no_such_slo(name);
	return print_test(find(before, name), find(after, name),
			  rsp_reply_number(after, "now_ns") - rsp_reply_number(before, "now_ns"));
}

int rsp_verb_slo(const struct rsp_options *opt)
{
	_cleanup_(put_object) struct json_object *status = NULL;
	const char *what = opt->arg_cnt ? opt->args[0] : "list";
	int r;

	if (!strcmp(what, "test") && opt->arg_cnt == 2)
		return test(opt, opt->args[1]);
	if (strcmp(what, "list") != 0 || opt->arg_cnt > 1) {
		rsp_fail(0, "the verb is 'rspctl slo list' or 'rspctl slo test NAME'");
		return RSP_EXIT_USAGE;
	}
	r = rsp_service_status(opt, &status);
	return r ? r : list(opt, status);
}

int rsp_verb_trigger(const struct rsp_options *opt)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	struct rsp_client *client;
	int r;

	json_object_object_add(parameters, "slo", json_object_new_string(opt->args[0]));
	r = rsp_service_connect(opt, &client);
	if (r) {
		json_object_put(parameters);
		return r;
	}
	r = rsp_client_call(client, "io.rsp.Recorder.Trigger", parameters, TRIGGER_TIMEOUT_MS,
			    &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	else if (r == -ENOENT)
		r = no_such_slo(opt->args[0]);
	else
		r = rsp_fail(r, "cannot trigger SLO %s: %s", opt->args[0],
			     rsp_client_error(client, r));
	rsp_client_free(client);
	return r;
}
