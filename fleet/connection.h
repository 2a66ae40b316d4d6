/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends queries to ClickHouse over its HTTP interface. If the ClickHouse user may not change
 * settings, only the server's own limits apply to queries.
 */
#ifndef RSP_FLEET_CONNECTION_H
#define RSP_FLEET_CONNECTION_H

#include "fleet/fleet.h"
#include "lib/fleet/result.h"

/*
 * If with_tables is set, fails if the server does not have the tables of RSP. Reports errors.
 * Returns an enum rsp_exit.
 */
int rsp_fleet_connect(struct rsp_fleet *fleet, bool with_tables);
void rsp_fleet_disconnect(struct rsp_fleet *fleet);

/* Returns a number such as 18016 for version 18.16. */
unsigned int rsp_fleet_server_version(const struct rsp_fleet *fleet);

/*
 * A query to the database. The caller begins it with rsp_fleet_query_begin(), writes its text to
 * q->out, and calls rsp_fleet_query_end(), which sends it and reports errors. If memory runs out,
 * rsp_fleet_query_begin() returns false, and rsp_fleet_query_end() reports this error. column_cnt:
 * number of columns of the result.
 */
struct rsp_fleet_query {
	struct rsp_fleet *fleet;
	FILE *out;
	char *text;
	size_t len;
};

bool rsp_fleet_query_begin(struct rsp_fleet_query *q, struct rsp_fleet *fleet);
int rsp_fleet_query_end(struct rsp_fleet_query *q, size_t column_cnt, struct rsp_fleet_result *ret);

/*
 * The statement returns no rows. If database is true, it runs in the configured database. Reports
 * errors. Returns an enum rsp_exit.
 */
int rsp_fleet_run(struct rsp_fleet *fleet, const char *statement, bool database);

/*
 * Makes the filter of the options, and finds the tables that contain repeated rows. Reports errors.
 * Returns an enum rsp_exit.
 */
int rsp_fleet_filter(struct rsp_fleet *fleet, struct rsp_fleet_filter *ret);
/* Like rsp_fleet_filter(), for a given span. */
int rsp_fleet_filter_span(struct rsp_fleet *fleet, const struct rsp_fleet_span *span,
			  struct rsp_fleet_filter *ret);

#endif
