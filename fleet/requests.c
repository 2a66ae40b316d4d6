/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl fleet requests --slowest: shows the slowest requests, with their hosts, causes and
 * snapshots.
 */
#include <errno.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "lib/base/text.h"
#include "lib/fleet/slowest.h"

/* If a span contains more snapshots, only the newest ones are used. */
#define SNAPSHOTS_MAX 10000

struct slow {
	struct rsp_fleet_filter filter;
	struct rsp_fleet_slices sum;
	struct rsp_fleet_result requests, snapshots;
	uint64_t request_cnt, host_cnt;
};

static void slow_done(struct slow *s)
{
	rsp_fleet_result_done(&s->requests);
	rsp_fleet_result_done(&s->snapshots);
}

/* --- asking ----------------------------------------------------------------------------------- */

static int query_sum(struct rsp_fleet *fleet, struct slow *s)
{
	struct rsp_fleet_query q;
	struct rsp_fleet_result res;
	int r;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_request_sum(q.out, &s->filter);
	r = rsp_fleet_query_end(&q, RSP_FLEET_REQUEST_SUM_COLUMNS, &res);
	if (r)
		return r;
	s->request_cnt = res.row_cnt ? rsp_fleet_number(&res, 0, 0) : 0;
	s->host_cnt = res.row_cnt ? rsp_fleet_number(&res, 0, 1) : 0;
	rsp_fleet_result_done(&res);
	return RSP_EXIT_OK;
}

/* The next query then reads the texts, which are long, only of requests above this lower bound. */
static int query_bound(struct rsp_fleet *fleet, struct slow *s)
{
	struct rsp_fleet_query q;
	struct rsp_fleet_result res;
	int r;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_bound(q.out, &s->filter, fleet->opt.limit);
	r = rsp_fleet_query_end(&q, RSP_FLEET_BOUND_COLUMNS, &res);
	if (r)
		return r;
	s->filter.slower_ns = rsp_fleet_get_bound(&res);
	rsp_fleet_result_done(&res);
	return RSP_EXIT_OK;
}

static int query_slowest(struct rsp_fleet *fleet, struct slow *s)
{
	struct rsp_fleet_query q;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_slowest(q.out, &s->filter, fleet->opt.limit);
	return rsp_fleet_query_end(&q, RSP_FLEET_REQUEST_COLUMNS, &s->requests);
}

static int query_snapshots(struct rsp_fleet *fleet, struct slow *s)
{
	struct rsp_fleet_query q;
	struct rsp_fleet_filter f = {.span = s->filter.span, .host = s->filter.host};

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_snapshots(q.out, &f, NULL, SNAPSHOTS_MAX);
	return rsp_fleet_query_end(&q, RSP_FLEET_SNAPSHOT_COLUMNS, &s->snapshots);
}

static int ask(struct rsp_fleet *fleet, struct slow *s)
{
	int r = rsp_fleet_filter(fleet, &s->filter);

	if (!r)
		r = rsp_fleet_totals(fleet, &s->filter, &s->sum);
	if (!r)
		r = query_sum(fleet, s);
	if (!r)
		r = query_bound(fleet, s);
	if (!r && !s->request_cnt)
		return rsp_fail(-ENODATA, "no request was answered in the slices of this span");
	if (!r)
		r = query_slowest(fleet, s);
	return r ? r : query_snapshots(fleet, s);
}

/* --- the answer ------------------------------------------------------------------------------- */

static const char *snapshot_of(const struct slow *s, const struct rsp_fleet_request *q)
{
	struct rsp_fleet_snapshot snapshot;
	long row = rsp_fleet_snapshot_of(&s->snapshots, q);

	if (row < 0)
		return "";
	rsp_fleet_get_snapshot(&s->snapshots, row, &snapshot);
	return snapshot.id;
}

static void put_answer(const struct slow *s, char *buf, size_t len)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], took[RSP_FORMAT_MAX], at[RSP_OUTPUT_TIME_MAX];
	char requests[RSP_FLEET_COUNT_MAX], hosts[RSP_FLEET_COUNT_MAX];
	struct rsp_fleet_request q;

	rsp_fleet_get_request(&s->requests, 0, &q);
	snprintf(buf, len, "The slowest of %s on %s took %s: %s:%llu of %s on %s, %s%s%s",
		 rsp_fleet_count(s->request_cnt, "request", requests, sizeof(requests)),
		 rsp_fleet_count(s->host_cnt, "host", hosts, sizeof(hosts)),
		 rsp_format_ns(q.max_ns, took, sizeof(took)), q.comm, (unsigned long long)q.port,
		 rsp_fleet_unit_name(q.unit, unit), q.host, rsp_output_time(q.at * 1000000000, at),
		 q.text[0] ? ": " : "", q.text);
}

static int print_text(const struct slow *s)
{
	static const char *const head[] = {"TOOK",   "MEDIAN",	 "HOST",       "UNIT",
					   "SERVER", "SNAPSHOT", "SLICE UNTIL"};
	_cleanup_(rsp_table_done) struct rsp_table t = {0};
	char a[RSP_FORMAT_MAX], unit[RSP_FORMAT_NAME_BYTES(64)], at[RSP_OUTPUT_TIME_MAX];
	char answer[4096];
	int r;

	put_answer(s, answer, sizeof(answer));
	rsp_text_clean(answer);
	printf("%s.\n", answer);
	rsp_fleet_print_span(&s->filter.span, &s->sum);
	putchar('\n');
	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < s->requests.row_cnt; i++) {
		struct rsp_fleet_request q;
		const char *id;

		rsp_fleet_get_request(&s->requests, (long)i, &q);
		id = snapshot_of(s, &q);
		rsp_table_add(&t, "%s", rsp_format_ns(q.max_ns, a, sizeof(a)));
		rsp_table_add(&t, "%s", rsp_format_ns(q.p50_ns, a, sizeof(a)));
		rsp_table_add(&t, "%s", q.host);
		rsp_table_add(&t, "%s", rsp_fleet_unit_name(q.unit, unit));
		rsp_table_add(&t, "%s:%llu", q.comm, (unsigned long long)q.port);
		rsp_table_add(&t, "%.12s", *id ? id : "-");
		rsp_table_add(&t, "%s", rsp_output_time(q.at * 1000000000, at));
	}
	r = rsp_table_print(&t);
	/* The headline contains the text of row 0. */
	for (size_t i = 1; !r && i < s->requests.row_cnt; i++) {
		struct rsp_fleet_request q;
		char text[1024];

		rsp_fleet_get_request(&s->requests, (long)i, &q);
		snprintf(text, sizeof(text), "%s on %s: %s", rsp_format_ns(q.max_ns, a, sizeof(a)),
			 q.host, q.text);
		rsp_text_clean(text);
		if (q.text[0])
			printf("\n%s\n", text);
	}
	return r ? r : rsp_output_flush();
}

/* --- JSON ------------------------------------------------------------------------------------- */

static struct json_object *request_json(const struct slow *s, long row)
{
	struct json_object *o = json_object_new_object();
	struct rsp_fleet_request q;
	int r = o ? 0 : -ENOMEM;

	rsp_fleet_get_request(&s->requests, row, &q);
	if (!r)
		r = rsp_json_add_string(o, "host", q.host) |
		    rsp_json_add_string(o, "machine", q.machine) |
		    rsp_json_add_string(o, "unit", q.unit) |
		    rsp_json_add_string(o, "comm", q.comm) |
		    rsp_json_add_number(o, "port", q.port) |
		    rsp_json_add_number(o, "at", (uint64_t)q.at) |
		    rsp_json_add_number(o, "max_ns", q.max_ns) |
		    rsp_json_add_number(o, "p50_ns", q.p50_ns) |
		    rsp_json_add_number(o, "answered", q.answered) |
		    rsp_json_add_string(o, "text", q.text) |
		    rsp_json_add_string(o, "snapshot", snapshot_of(s, &q));
	if (r) {
		json_object_put(o);
		return NULL;
	}
	return o;
}

static int print_json(const struct slow *s, enum rsp_json_mode mode)
{
	struct json_object *o, *all = json_object_new_array();
	char answer[4096];
	int r;

	put_answer(s, answer, sizeof(answer));
	o = rsp_fleet_json(answer, &s->filter.span);
	r = o && all ? 0 : -ENOMEM;
	for (size_t i = 0; !r && i < s->requests.row_cnt; i++)
		r = rsp_json_append(all, request_json(s, (long)i));
	if (!r)
		r = rsp_json_add_number(o, "hosts", s->host_cnt) |
		    rsp_json_add_number(o, "answered", s->request_cnt) |
		    rsp_json_add(o, "requests", rsp_take_ptr(all));
	json_object_put(all);
	if (r) {
		json_object_put(o);
		return rsp_fail(-ENOMEM, "cannot make JSON: %m");
	}
	return rsp_output_json(o, mode);
}

int rsp_fleet_requests(struct rsp_fleet *fleet)
{
	_cleanup_(slow_done) struct slow s = {0};
	int r = ask(fleet, &s);

	if (r)
		return r;
	return fleet->opt.json ? print_json(&s, fleet->opt.json) : print_text(&s);
}
