/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See outliers.h. */
#include "lib/fleet/outliers.h"

#include <math.h>

/* Minimum spread, for values that are nearly equal: 1 % of the busy time, or 10 % of a latency. */
#define SPREAD_SHARE  0.01
#define SPREAD_FACTOR 1.1
/*
 * In a normal distribution, the standard deviation is NORMAL times the median distance from the
 * median.
 */
#define NORMAL	      1.4826

static bool is_unknown(int cat)
{
	return cat == RSP_CAT_LOST || cat == RSP_CAT_UNRECORDED || cat == RSP_CAT_EDGE ||
	       cat == RSP_CAT_UNACCOUNTED;
}

static bool is_own_aspect(int cat)
{
	return cat != RSP_CAT_IDLE && cat != RSP_CAT_RUNNING_SAMPLED &&
	       cat != RSP_CAT_RUNNING_UNSAMPLED && !is_unknown(cat);
}

/*
 * Chance decides whether a run has a sample, and which kind of unknown time it is. So the
 * categories of running are compared as one sum, and the categories of unknown time as another sum.
 */
static void put_aspects(FILE *out)
{
	fputs("['running', 'unknown'", out);
	for (int i = 0; i < RSP_CAT_MAX; i++)
		if (is_own_aspect(i))
			fprintf(out, ", '%s'", rsp_category_key((enum rsp_category)i));
	putc(']', out);
}

static void put_shares(FILE *out)
{
	fputs("[sum(", out);
	rsp_fleet_put_running(out);
	fputs(") / busy, sum(0", out);
	for (int i = 0; i < RSP_CAT_MAX; i++)
		if (is_unknown(i))
			fprintf(out, " + cat_%s", rsp_category_key((enum rsp_category)i));
	fputs(") / busy", out);
	for (int i = 0; i < RSP_CAT_MAX; i++)
		if (is_own_aspect(i))
			fprintf(out, ", sum(cat_%s) / busy",
				rsp_category_key((enum rsp_category)i));
	putc(']', out);
}

/* The columns by which the query groups hosts. */
#define BY "unit, aspect, comm, port"

/*
 * Between put_far() and put_far_end(), the caller writes a subquery with the columns BY, machine,
 * name and value. shown: an expression that converts v and median for the report. spread: the
 * minimum spread.
 */
static void put_far(FILE *out, const char *shown, double spread)
{
	fprintf(out,
		"SELECT " BY ", machine, name, hosts, %s, abs(v - median) / "
		"greatest(%.4f * mad, %.6f) AS score FROM (SELECT " BY ", count() AS hosts, "
		"groupArray(machine) AS machines, groupArray(name) AS names, "
		"groupArray(value) AS all, arrayReduce('quantileExact', all) AS median, "
		"arrayReduce('quantileExact', arrayMap(x -> abs(x - median), all)) AS mad FROM ",
		shown, NORMAL, spread);
}

static void put_far_end(FILE *out, double least, size_t limit)
{
	fprintf(out,
		" GROUP BY " BY " HAVING hosts >= %d) ARRAY JOIN machines AS machine, names AS "
		"name, all AS v WHERE abs(v - median) >= %.6f AND score > %d "
		"ORDER BY score DESC, machine, unit, aspect LIMIT %zu",
		RSP_FLEET_OUTLIER_HOSTS_MIN, least, RSP_FLEET_OUTLIER_SCORE, limit);
}

void rsp_fleet_put_outliers(FILE *out, const struct rsp_fleet_filter *f, size_t limit)
{
	put_far(out, "v, median", SPREAD_SHARE);
	fputs("(SELECT unit, machine, name, aspect, '' AS comm, 0 AS port, value FROM (SELECT unit, "
	      "machine, any(host) AS name, sum(",
	      out);
	rsp_fleet_put_busy(out);
	fputs(") AS busy, ", out);
	put_shares(out);
	fputs(" AS shares FROM ", out);
	rsp_fleet_put_source(out, RSP_FLEET_UNITS, f);
	fprintf(out, " GROUP BY unit, machine HAVING busy >= %d) ARRAY JOIN ",
		RSP_FLEET_OUTLIER_BUSY_NS);
	put_aspects(out);
	fputs(" AS aspect, shares AS value)", out);
	put_far_end(out, RSP_FLEET_OUTLIER_SHARE, limit);
}

void rsp_fleet_put_slow_hosts(FILE *out, const struct rsp_fleet_filter *f, size_t limit)
{
	put_far(out, "exp(v), exp(median)", log(SPREAD_FACTOR));
	/*
	 * Percentiles cannot be added, so the query takes their median, weighted by the number of
	 * requests.
	 */
	fputs("(SELECT unit, machine, any(host) AS name, 'p99' AS aspect, comm, port, "
	      "log(quantileExactWeighted(0.5)(p99_ns, answered) + 1) AS value FROM ",
	      out);
	rsp_fleet_put_source(out, RSP_FLEET_REQUESTS, f);
	fprintf(out,
		" WHERE answered > 0 GROUP BY unit, machine, comm, port HAVING sum(answered) >= "
		"%d)",
		RSP_FLEET_OUTLIER_REQUESTS);
	put_far_end(out, log(RSP_FLEET_OUTLIER_FACTOR), limit);
}

void rsp_fleet_get_outlier(const struct rsp_fleet_result *r, long row,
			   struct rsp_fleet_outlier *ret)
{
	*ret = (struct rsp_fleet_outlier){
		.unit = rsp_fleet_text(r, row, 0),
		.aspect = rsp_fleet_text(r, row, 1),
		.comm = rsp_fleet_text(r, row, 2),
		.port = rsp_fleet_number(r, row, 3),
		.machine = rsp_fleet_text(r, row, 4),
		.host = rsp_fleet_text(r, row, 5),
		.host_cnt = rsp_fleet_number(r, row, 6),
		.value = rsp_fleet_real(r, row, 7),
		.median = rsp_fleet_real(r, row, 8),
		.score = rsp_fleet_real(r, row, 9),
	};
}
