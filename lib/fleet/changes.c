/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See changes.h. */
#include "lib/fleet/changes.h"

#include <math.h>

/* --- the query -------------------------------------------------------------------------------- */

static void put_key(FILE *out, enum rsp_fleet_table t)
{
	fputs(t == RSP_FLEET_CHAINS ? "unit, chain_id, category" : "unit", out);
}

/*
 * side 0: before, 1: after. Column x has the values of the span before, column y the values of the
 * span after. The column of the other span is 0.
 */
static void put_side(FILE *out, enum rsp_fleet_table t, const struct rsp_fleet_filter *f, int side)
{
	fputs("SELECT ", out);
	put_key(out, t);
	fputs(side ? ", machine, host, toInt64(0) AS x, toInt64(" : ", machine, host, toInt64(",
	      out);
	if (t == RSP_FLEET_CHAINS)
		fputs("ns", out);
	else
		rsp_fleet_put_busy(out);
	fputs(side ? ") AS y FROM " : ") AS x, toInt64(0) AS y FROM ", out);
	rsp_fleet_put_source(out, t, f);
}

static void put_recorded_side(FILE *out, const struct rsp_fleet_filter *f, int side)
{
	fprintf(out, "SELECT machine, %s FROM ",
		side ? "toUInt64(0) AS x, recorded_ns AS y" : "recorded_ns AS x, toUInt64(0) AS y");
	rsp_fleet_put_slices(out, f);
}

/* The hosts recorded in both spans. */
static void put_recorded(FILE *out, const struct rsp_fleet_filter *before,
			 const struct rsp_fleet_filter *after)
{
	fputs("(SELECT machine, sum(x) / 1e9 AS before_s, sum(y) / 1e9 AS after_s FROM (", out);
	put_recorded_side(out, before, 0);
	fputs(" UNION ALL ", out);
	put_recorded_side(out, after, 1);
	fputs(") GROUP BY machine HAVING before_s > 0 AND after_s > 0)", out);
}

void rsp_fleet_put_changes(FILE *out, enum rsp_fleet_table t, const struct rsp_fleet_filter *before,
			   const struct rsp_fleet_filter *after, size_t limit)
{
	fputs("SELECT unit, ", out);
	fputs(t == RSP_FLEET_CHAINS ? "chain_id, category" : "0, ''", out);
	fputs(", uniqExact(", out);
	put_key(out, t);
	fputs("), uniqExact(machine), countIf(b > a), countIf(b < a), avg(a) AS mean_a, avg(b) AS "
	      "mean_b, argMax(name, abs(b - a)), max(abs(b - a)) / sum(abs(b - a)) FROM (SELECT ",
	      out);
	put_key(out, t);
	fputs(", machine, name, sum_x / before_s AS a, sum_y / after_s AS b FROM (SELECT ", out);
	put_key(out, t);
	fputs(", machine, any(host) AS name, sum(x) AS sum_x, sum(y) AS sum_y FROM (", out);
	put_side(out, t, before, 0);
	fputs(" UNION ALL ", out);
	put_side(out, t, after, 1);
	fputs(") GROUP BY ", out);
	put_key(out, t);
	fputs(", machine) AS units ALL INNER JOIN ", out);
	put_recorded(out, before, after);
	fputs(" AS hosts USING machine) GROUP BY ", out);
	put_key(out, t);
	fputs(" WITH TOTALS ORDER BY abs(mean_b - mean_a) * uniqExact(machine) DESC, ", out);
	put_key(out, t);
	fprintf(out, " LIMIT %zu", limit);
}

/* --- the answer ------------------------------------------------------------------------------- */

double rsp_fleet_sign_test(uint64_t grown, uint64_t shrunk)
{
	uint64_t n = grown + shrunk, k = grown > shrunk ? grown : shrunk;
	double p = 0;

	for (uint64_t i = k; i <= n; i++) {
		double term = exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
				  lgamma((double)(n - i) + 1) - (double)n * M_LN2);

		p += term;
		if (term < p * 1e-12)
			break;
	}
	return p < 0.5 ? 2 * p : 1;
}

uint64_t rsp_fleet_quantity_cnt(const struct rsp_fleet_result *r)
{
	return r->row_cnt ? rsp_fleet_number(r, -1, 3) : 0;
}

uint64_t rsp_fleet_changed_host_cnt(const struct rsp_fleet_result *r)
{
	return r->row_cnt ? rsp_fleet_number(r, -1, 4) : 0;
}

void rsp_fleet_get_change(const struct rsp_fleet_result *r, long row, uint64_t quantity_cnt,
			  struct rsp_fleet_change *ret)
{
	double larger;

	*ret = (struct rsp_fleet_change){
		.unit = rsp_fleet_text(r, row, 0),
		.chain_id = rsp_fleet_number(r, row, 1),
		.category = rsp_fleet_text(r, row, 2),
		.host_cnt = rsp_fleet_number(r, row, 4),
		.grown_cnt = rsp_fleet_number(r, row, 5),
		.shrunk_cnt = rsp_fleet_number(r, row, 6),
		.before = rsp_fleet_real(r, row, 7),
		.after = rsp_fleet_real(r, row, 8),
		.most_host = rsp_fleet_text(r, row, 9),
		.most_share = rsp_fleet_real(r, row, 10),
	};
	ret->p = rsp_fleet_sign_test(ret->grown_cnt, ret->shrunk_cnt) * (double)quantity_cnt;
	ret->p = ret->p < 1 ? ret->p : 1;
	larger = ret->before > ret->after ? ret->before : ret->after;
	ret->is_significant = ret->p < RSP_FLEET_CHANGE_P &&
			      fabs(ret->after - ret->before) >= RSP_FLEET_CHANGE_SHARE * larger;
}
