/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl fleet outliers: shows the hosts whose profile of a unit differs from the profiles of the
 * other hosts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "lib/fleet/outliers.h"

/* One host may have several differences. */
#define FETCH_MAX 1000

struct found {
	struct rsp_fleet_filter filter;
	struct rsp_fleet_slices sum;
	struct rsp_fleet_result shares, requests;
	/*
	 * The differences of one host and unit are adjacent, largest score first. Pairs of host and
	 * unit are sorted by rank. is_first marks the first difference of a pair.
	 */
	struct difference {
		struct rsp_fleet_outlier o;
		double rank; /* the largest score of its host and unit */
		bool is_first;
	} * v;
	size_t cnt, host_unit_cnt;
};

static void found_done(struct found *f)
{
	rsp_fleet_result_done(&f->shares);
	rsp_fleet_result_done(&f->requests);
	free(f->v);
}

/* --- asking and sorting ----------------------------------------------------------------------- */

static bool same(const struct rsp_fleet_outlier *a, const struct rsp_fleet_outlier *b)
{
	return !strcmp(a->machine, b->machine) && !strcmp(a->unit, b->unit);
}

static int by_score(const void *p, const void *q)
{
	const struct difference *a = p, *b = q;

	return a->o.score > b->o.score ? -1 : a->o.score < b->o.score;
}

static int by_rank(const void *p, const void *q)
{
	const struct difference *a = p, *b = q;
	int r;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	r = strcmp(a->o.machine, b->o.machine);
	if (!r)
		r = strcmp(a->o.unit, b->o.unit);
	return r ? r : by_score(p, q);
}

static int arrange(struct found *f)
{
	size_t cnt = f->shares.row_cnt + f->requests.row_cnt;

	f->v = calloc(cnt + 1, sizeof(*f->v));
	if (!f->v)
		return rsp_fail(-ENOMEM, "cannot compare hosts: %m");
	for (size_t i = 0; i < f->shares.row_cnt; i++)
		rsp_fleet_get_outlier(&f->shares, (long)i, &f->v[f->cnt++].o);
	for (size_t i = 0; i < f->requests.row_cnt; i++)
		rsp_fleet_get_outlier(&f->requests, (long)i, &f->v[f->cnt++].o);
	if (!f->cnt)
		return RSP_EXIT_OK;
	qsort(f->v, f->cnt, sizeof(*f->v), by_score);
	for (size_t i = 0; i < f->cnt; i++)
		for (size_t j = 0; j <= i && !f->v[i].rank; j++)
			if (same(&f->v[i].o, &f->v[j].o))
				f->v[i].rank = f->v[j].o.score;
	qsort(f->v, f->cnt, sizeof(*f->v), by_rank);
	for (size_t i = 0; i < f->cnt; i++) {
		f->v[i].is_first = !i || !same(&f->v[i].o, &f->v[i - 1].o);
		f->host_unit_cnt += f->v[i].is_first;
	}
	return RSP_EXIT_OK;
}

static int ask(struct rsp_fleet *fleet, struct found *f)
{
	struct rsp_fleet_query q;
	int r = rsp_fleet_filter(fleet, &f->filter);

	/*
	 * The query must include all hosts, because it compares the host of --host with the others.
	 */
	f->filter.host = NULL;
	if (!r)
		r = rsp_fleet_totals(fleet, &f->filter, &f->sum);
	if (r)
		return r;
	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_outliers(q.out, &f->filter, FETCH_MAX);
	r = rsp_fleet_query_end(&q, RSP_FLEET_OUTLIER_COLUMNS, &f->shares);
	if (r)
		return r;
	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_slow_hosts(q.out, &f->filter, FETCH_MAX);
	r = rsp_fleet_query_end(&q, RSP_FLEET_OUTLIER_COLUMNS, &f->requests);
	return r ? r : arrange(f);
}

static void keep(struct found *f, const char *host)
{
	size_t cnt = 0;

	f->host_unit_cnt = 0;
	for (size_t i = 0; i < f->cnt; i++) {
		if (strcmp(f->v[i].o.host, host) != 0)
			continue;
		f->host_unit_cnt += f->v[i].is_first;
		f->v[cnt++] = f->v[i];
	}
	f->cnt = cnt;
}

/* --- the answer ------------------------------------------------------------------------------- */

static bool is_request(const struct rsp_fleet_outlier *o)
{
	return !strcmp(o->aspect, "p99");
}

static char *figure(const struct rsp_fleet_outlier *o, double value, char *buf, size_t len)
{
	if (is_request(o))
		return rsp_format_ns((__u64)value, buf, len);
	return rsp_format_share((__u64)(value * 1e6), 1000000, buf, len);
}

static const char *describe_aspect(const struct rsp_fleet_outlier *o, char *buf, size_t len)
{
	if (!strcmp(o->aspect, "unknown"))
		return "unknown: the records do not explain it";
	if (!is_request(o))
		return rsp_fleet_activity(o->aspect);
	snprintf(buf, len, "99 %% of requests to %s:%llu", o->comm, (unsigned long long)o->port);
	return buf;
}

/*
 * Returns the first increase of the first host and unit or, if there is none, the first difference.
 */
static const struct rsp_fleet_outlier *main_one(const struct found *f)
{
	for (size_t i = 0; i < f->cnt && (!i || !f->v[i].is_first); i++)
		if (f->v[i].o.value > f->v[i].o.median)
			return &f->v[i].o;
	return &f->v[0].o;
}

static void put_none(const struct found *f, const char *host, char *buf, size_t len)
{
	char hosts[RSP_FLEET_COUNT_MAX];

	rsp_fleet_count(f->sum.host_cnt, "host", hosts, sizeof(hosts));
	if (f->sum.host_cnt < RSP_FLEET_OUTLIER_HOSTS_MIN)
		snprintf(buf, len, "%s: too few to compare, it takes %d", hosts,
			 RSP_FLEET_OUTLIER_HOSTS_MIN);
	else if (host)
		snprintf(buf, len, "%s does not differ from the other hosts (%s in all)", host,
			 hosts);
	else
		snprintf(buf, len, "None of %s differs from the others", hosts);
}

/* The next host and unit may be the cause of the first difference. */
static void put_next(const struct found *f, char *buf, size_t len)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], more[RSP_FORMAT_MAX + 8] = "";
	size_t next = 1;

	while (!f->v[next].is_first)
		next++;
	rsp_fleet_unit_name(f->v[next].o.unit, unit);
	if (f->host_unit_cnt > 2)
		snprintf(more, sizeof(more), " and %zu more", f->host_unit_cnt - 2);
	snprintf(buf, len, "; %s on %s%s differ%s, too", unit, f->v[next].o.host, more,
		 *more ? "" : "s");
}

static void put_answer(const struct found *f, const char *host, char *buf, size_t len)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], others[RSP_FLEET_COUNT_MAX], a[RSP_FORMAT_MAX],
		b[RSP_FORMAT_MAX], name[96];
	const struct rsp_fleet_outlier *o;
	size_t n;

	if (!f->cnt) {
		put_none(f, host, buf, len);
		return;
	}
	o = main_one(f);
	rsp_fleet_unit_name(o->unit, unit);
	rsp_fleet_count(o->host_cnt, "host", others, sizeof(others));
	figure(o, o->value, a, sizeof(a));
	figure(o, o->median, b, sizeof(b));
	if (is_request(o))
		n = (size_t)snprintf(
			buf, len, "%s of %s takes up to %s on %s; the median of %s is %s",
			describe_aspect(o, name, sizeof(name)), unit, a, o->host, others, b);
	else
		n = (size_t)snprintf(
			buf, len, "%s is %s for %s of its time on %s; the median of %s is %s", unit,
			describe_aspect(o, name, sizeof(name)), a, o->host, others, b);
	if (f->host_unit_cnt > 1 && n < len)
		put_next(f, buf + n, len - n);
}

static void add_difference(struct rsp_table *t, const struct difference *d)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], a[RSP_FORMAT_MAX], name[96];

	rsp_table_add(t, "%s", d->is_first ? d->o.host : "");
	rsp_table_add(t, "%s", d->is_first ? rsp_fleet_unit_name(d->o.unit, unit) : "");
	rsp_table_add(t, "%s", figure(&d->o, d->o.value, a, sizeof(a)));
	rsp_table_add(t, "%s", figure(&d->o, d->o.median, a, sizeof(a)));
	rsp_table_add(t, "%llu", (unsigned long long)d->o.host_cnt);
	rsp_table_add(t, "%.0f", d->o.score);
	rsp_table_add(t, "%s", describe_aspect(&d->o, name, sizeof(name)));
}

static int print_text(const struct rsp_fleet *fleet, const struct found *f)
{
	static const char *const head[] = {"HOST", "UNIT",    "HERE", "MEDIAN",
					   "OF",   "SPREADS", "WHAT"};
	_cleanup_(rsp_table_done) struct rsp_table t = {0};
	char answer[1024];
	size_t shown = 0;

	put_answer(f, fleet->opt.host, answer, sizeof(answer));
	printf("%s.\n", answer);
	rsp_fleet_print_span(&f->filter.span, &f->sum);
	if (!f->cnt)
		return rsp_output_flush();
	putchar('\n');
	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < f->cnt; i++) {
		shown += f->v[i].is_first;
		if (shown > fleet->opt.limit)
			break;
		add_difference(&t, &f->v[i]);
	}
	return rsp_table_print(&t);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static int fill_difference(struct json_object *o, const void *from)
{
	const struct rsp_fleet_outlier *d = from;
	int r = rsp_json_add_string(o, "aspect", d->aspect) |
		rsp_json_add(o, "here", json_object_new_double(d->value)) |
		rsp_json_add(o, "median", json_object_new_double(d->median)) |
		rsp_json_add(o, "score", json_object_new_double(d->score)) |
		rsp_json_add_number(o, "hosts", d->host_cnt);

	if (is_request(d))
		r |= rsp_json_add_string(o, "comm", d->comm) |
		     rsp_json_add_number(o, "port", d->port);
	return r;
}

static int fill_host(struct json_object *o, const void *from)
{
	const struct difference *d = from;
	struct json_object *all = json_object_new_array();
	int r = all ? 0 : -ENOMEM;

	for (size_t i = 0; !r && (!i || !d[i].is_first) && d[i].o.unit; i++)
		r = rsp_json_append(all, rsp_json_object_of(fill_difference, &d[i].o));
	return r | rsp_json_add_string(o, "host", d->o.host) |
	       rsp_json_add_string(o, "machine", d->o.machine) |
	       rsp_json_add_string(o, "unit", d->o.unit) | rsp_json_add(o, "differences", all);
}

static int print_json(const struct rsp_fleet *fleet, const struct found *f)
{
	struct json_object *o, *all = json_object_new_array();
	char answer[1024];
	size_t shown = 0;
	int r;

	put_answer(f, fleet->opt.host, answer, sizeof(answer));
	o = rsp_fleet_json(answer, &f->filter.span);
	r = o && all ? 0 : -ENOMEM;
	for (size_t i = 0; !r && i < f->cnt && shown < fleet->opt.limit; i++) {
		if (!f->v[i].is_first)
			continue;
		shown++;
		r = rsp_json_append(all, rsp_json_object_of(fill_host, &f->v[i]));
	}
	if (!r)
		r = rsp_json_add_number(o, "hosts", f->sum.host_cnt) |
		    rsp_json_add_number(o, "outlier_cnt", f->host_unit_cnt) |
		    rsp_json_add(o, "outliers", rsp_take_ptr(all));
	json_object_put(all);
	if (r) {
		json_object_put(o);
		return rsp_fail(-ENOMEM, "cannot make JSON: %m");
	}
	return rsp_output_json(o, fleet->opt.json);
}

int rsp_fleet_outliers(struct rsp_fleet *fleet)
{
	_cleanup_(found_done) struct found f = {0};
	int r = ask(fleet, &f);

	if (r)
		return r;
	if (fleet->opt.host)
		keep(&f, fleet->opt.host);
	return fleet->opt.json ? print_json(fleet, &f) : print_text(fleet, &f);
}
