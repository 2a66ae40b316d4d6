/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a filter (a span, units, a host) into subqueries. Each subquery returns every row once,
 * even if a batch was inserted twice.
 *
 * For whole hours of the span, a subquery reads the sums of hours (export/schema). An hour of a
 * machine is called repeated if its sums contain a batch twice. For a repeated hour, a subquery
 * reads the rows instead of the sums, and LIMIT 1 BY drops the second copies. FINAL would also drop
 * them, but would process all rows, and in one thread.
 */
#ifndef RSP_LIB_FLEET_SOURCE_H
#define RSP_LIB_FLEET_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/model/explain/explain.h"

/* Times are seconds since 1970; the span includes since and excludes until. */
struct rsp_fleet_span {
	int64_t since, until;
};

enum rsp_fleet_table {
	RSP_FLEET_UNITS,
	RSP_FLEET_CHAINS,
	RSP_FLEET_REQUESTS,
	RSP_FLEET_TABLE_CNT,
};

struct rsp_fleet_filter {
	struct rsp_fleet_span span;
	const char *const *units; /* only these units */
	size_t unit_cnt;	  /* 0: all */
	const char *host;	  /* NULL: all */
	/* for requests: only rows whose slowest request took at least slower_ns */
	uint64_t slower_ns;
	/* [table]: whether the span contains repeated hours of the table */
	bool repeated[RSP_FLEET_TABLE_CNT];
};

/*
 * A row of the result contains the name of a table ("summary", "chain" or "request", in any order)
 * and its number of repeated hours. A table without rows in the span may be missing.
 */
void rsp_fleet_put_repeated_query(FILE *out, const struct rsp_fleet_span *span);
/* Returns false if no table has this name. */
bool rsp_fleet_find_table(const char *name, enum rsp_fleet_table *ret);

/*
 * Writes a subquery in parentheses. Columns of units: unit, machine, host, total_ns, cat_*. Columns
 * of chains: unit, machine, host, chain_id, category, ns, cnt. Columns of requests: unit, machine,
 * host, boot, number, at, comm, port, answered, pending, p50_ns, p90_ns, p99_ns, max_ns, text.
 */
void rsp_fleet_put_source(FILE *out, enum rsp_fleet_table table, const struct rsp_fleet_filter *f);
/*
 * Writes a subquery in parentheses for the slices that hosts recorded, with the columns machine,
 * recorded_ns, lost.
 */
void rsp_fleet_put_slices(FILE *out, const struct rsp_fleet_filter *f);

/* These functions write SQL expressions for sums of categories. */
void rsp_fleet_put_busy(FILE *out);    /* waiting or computing: not idle */
void rsp_fleet_put_running(FILE *out); /* computing */

#endif
