/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See source.h. */
#include "lib/fleet/source.h"

#include <inttypes.h>
#include <string.h>

#include "lib/fleet/sql.h"

#define HOUR 3600

static const struct {
	const char *name; /* in rsp_arrival */
	const char *rows, *hours;
	const char *columns, *key;
} tables[RSP_FLEET_TABLE_CNT] = {
	[RSP_FLEET_UNITS] = {"summary", "rsp_summary", "rsp_unit_hour",
			     "unit, machine, host, total_ns",
			     "machine, boot, number, unit, cgroup"},
	[RSP_FLEET_CHAINS] = {"chain", "rsp_chain", "rsp_chain_hour",
			      "unit, machine, host, chain_id, category, ns, cnt",
			      "machine, boot, number, unit, cgroup, chain_id, category"},
	[RSP_FLEET_REQUESTS] = {"request", "rsp_request", NULL,
				"unit, machine, host, boot, number, at, comm, port, answered, "
				"pending, p50_ns, p90_ns, p99_ns, max_ns, text",
				"machine, boot, number, unit, cgroup, comm, port, answered, "
				"p50_ns, max_ns"},
};

bool rsp_fleet_find_table(const char *name, enum rsp_fleet_table *ret)
{
	for (int i = 0; i < RSP_FLEET_TABLE_CNT; i++) {
		if (!strcmp(tables[i].name, name)) {
			*ret = (enum rsp_fleet_table)i;
			return true;
		}
	}
	return false;
}

static int64_t hour_before(int64_t t)
{
	return t - t % HOUR;
}

static int64_t hour_after(int64_t t)
{
	return hour_before(t + HOUR - 1);
}

/* With these conditions, ClickHouse skips other days and, for each unit, other hours. */
static void put_hours(FILE *out, const struct rsp_fleet_span *s, const char *hour)
{
	fputs("date >= ", out);
	rsp_sql_put_date(out, s->since);
	fputs(" AND date <= ", out);
	rsp_sql_put_date(out, s->until);
	fprintf(out, " AND %s >= ", hour);
	rsp_sql_put_time(out, hour_before(s->since));
	fprintf(out, " AND %s < ", hour);
	rsp_sql_put_time(out, s->until);
}

static void put_span(FILE *out, const struct rsp_fleet_span *s)
{
	put_hours(out, s, "toStartOfHour(at)");
	fputs(" AND at >= ", out);
	rsp_sql_put_time(out, s->since);
	fputs(" AND at < ", out);
	rsp_sql_put_time(out, s->until);
}

static void put_names(FILE *out, const struct rsp_fleet_filter *f)
{
	for (size_t i = 0; i < f->unit_cnt; i++) {
		fputs(i ? ", " : " AND unit IN (", out);
		rsp_sql_put_string(out, f->units[i]);
	}
	if (f->unit_cnt)
		putc(')', out);
	if (f->host) {
		fputs(" AND host = ", out);
		rsp_sql_put_string(out, f->host);
	}
	if (f->slower_ns)
		fprintf(out, " AND max_ns >= %" PRIu64, f->slower_ns);
}

/* The columns are machine, boot and hour. */
static void put_repeated(FILE *out, const char *name, const struct rsp_fleet_span *s)
{
	fputs("SELECT machine, boot, hour FROM rsp_arrival WHERE what = ", out);
	rsp_sql_put_string(out, name);
	fputs(" AND ", out);
	put_hours(out, s, "hour");
	fputs(" GROUP BY machine, boot, hour HAVING sum(rows) != uniqExactMerge(numbers)", out);
}

void rsp_fleet_put_repeated_query(FILE *out, const struct rsp_fleet_span *span)
{
	fputs("SELECT what, countIf(r != u) FROM (SELECT what, sum(rows) AS r, uniqExactMerge(numbers) "
	      "AS u FROM rsp_arrival WHERE ",
	      out);
	put_hours(out, span, "hour");
	fputs(" GROUP BY what, machine, boot, hour) GROUP BY what", out);
}

/*
 * Selects the rows of repeated hours, or of all other hours. hour: an SQL expression for the hour
 * of a row.
 */
static void put_if_repeated(FILE *out, enum rsp_fleet_table t, const struct rsp_fleet_filter *f,
			    const char *hour, bool is_repeated)
{
	if (!f->repeated[t])
		return;
	fprintf(out, " AND (machine, boot, %s) %s (", hour, is_repeated ? "IN" : "NOT IN");
	put_repeated(out, tables[t].name, &f->span);
	putc(')', out);
}

/* A span, split into its whole hours and the remaining parts at its two ends. */
struct parts {
	struct rsp_fleet_span hours, ends[2];
	bool has_hours;
	int end_cnt;
};

static struct parts split(const struct rsp_fleet_span *s, bool by_hour)
{
	struct parts p = {.hours = {hour_after(s->since), hour_before(s->until)}};

	p.has_hours = by_hour && p.hours.since < p.hours.until;
	if (!p.has_hours) {
		p.ends[p.end_cnt++] = *s;
		return p;
	}
	if (s->since < p.hours.since)
		p.ends[p.end_cnt++] = (struct rsp_fleet_span){s->since, p.hours.since};
	if (p.hours.until < s->until)
		p.ends[p.end_cnt++] = (struct rsp_fleet_span){p.hours.until, s->until};
	return p;
}

static void put_columns(FILE *out, enum rsp_fleet_table t)
{
	fputs(tables[t].columns, out);
	for (int i = 0; t == RSP_FLEET_UNITS && i < RSP_CAT_MAX; i++)
		fprintf(out, ", cat_%s", rsp_category_key((enum rsp_category)i));
}

static void put_select(FILE *out, enum rsp_fleet_table t, bool hours)
{
	fputs("SELECT ", out);
	put_columns(out, t);
	fprintf(out, " FROM %s WHERE ", hours ? tables[t].hours : tables[t].rows);
}

void rsp_fleet_put_source(FILE *out, enum rsp_fleet_table t, const struct rsp_fleet_filter *f)
{
	struct parts p = split(&f->span, tables[t].hours != NULL);

	putc('(', out);
	if (p.has_hours) {
		put_select(out, t, true);
		put_hours(out, &p.hours, "hour");
		put_names(out, f);
		put_if_repeated(out, t, f, "hour", false);
	}
	for (int i = 0; i < p.end_cnt; i++) {
		fputs(p.has_hours || i ? " UNION ALL " : "", out);
		put_select(out, t, false);
		put_span(out, &p.ends[i]);
		put_names(out, f);
		put_if_repeated(out, t, f, "toStartOfHour(at)", false);
	}
	if (f->repeated[t]) {
		fputs(" UNION ALL ", out);
		put_select(out, t, false);
		put_span(out, &f->span);
		put_names(out, f);
		put_if_repeated(out, t, f, "toStartOfHour(at)", true);
		fprintf(out, " LIMIT 1 BY %s", tables[t].key);
	}
	putc(')', out);
}

/*
 * Each slice has a row for each unit, and all rows of a slice have the same recorded_ns and lost:
 * the caller keeps one of them (LIMIT 1 BY).
 */
static void put_slices_of_rows(FILE *out, const struct rsp_fleet_span *s,
			       const struct rsp_fleet_filter *f)
{
	fputs("SELECT machine, recorded_ns, lost FROM rsp_summary WHERE ", out);
	put_span(out, s);
	put_names(out, &(struct rsp_fleet_filter){.host = f->host});
}

void rsp_fleet_put_slices(FILE *out, const struct rsp_fleet_filter *f)
{
	/* table rsp_arrival contains no names of hosts */
	struct parts p = split(&f->span, !f->host);

	putc('(', out);
	if (p.has_hours) {
		fputs("SELECT machine, recorded_ns, lost FROM rsp_arrival WHERE what = 'summary' AND ",
		      out);
		put_hours(out, &p.hours, "hour");
		put_if_repeated(out, RSP_FLEET_UNITS, f, "hour", false);
	}
	for (int i = 0; i < p.end_cnt; i++) {
		fputs(p.has_hours || i ? " UNION ALL " : "", out);
		put_slices_of_rows(out, &p.ends[i], f);
		put_if_repeated(out, RSP_FLEET_UNITS, f, "toStartOfHour(at)", false);
		fputs(" LIMIT 1 BY machine, boot, number", out);
	}
	if (f->repeated[RSP_FLEET_UNITS]) {
		fputs(" UNION ALL ", out);
		put_slices_of_rows(out, &f->span, f);
		put_if_repeated(out, RSP_FLEET_UNITS, f, "toStartOfHour(at)", true);
		fputs(" LIMIT 1 BY machine, boot, number", out);
	}
	putc(')', out);
}

void rsp_fleet_put_busy(FILE *out)
{
	fprintf(out, "(total_ns - cat_%s)", rsp_category_key(RSP_CAT_IDLE));
}

void rsp_fleet_put_running(FILE *out)
{
	fprintf(out, "(cat_%s + cat_%s)", rsp_category_key(RSP_CAT_RUNNING_SAMPLED),
		rsp_category_key(RSP_CAT_RUNNING_UNSAMPLED));
}
