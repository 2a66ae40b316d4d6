/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl fleet setup: creates the database and its tables, or upgrades them. The statements are in
 * export/schema, in one file for each version of the schema. If a file needs a newer ClickHouse,
 * setup skips this file, and applies it when it runs after an upgrade of the server. All statements
 * may be run twice.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "lib/fleet/sql.h"

extern const char rsp_schema_rows[], rsp_schema_hours[], rsp_schema_ttl[], rsp_schema_dedup[];

static const struct step {
	unsigned int version;
	const char *name, *sql;
	unsigned int server; /* minimum version of ClickHouse: 18016 for 18.16 */
	const char *ability; /* for the report */
} steps[] = {
	{1, "001-rows.sql", rsp_schema_rows, 18016, "tables of rows"},
	{2, "002-hours.sql", rsp_schema_hours, 18016, "sums of each hour"},
	{3, "003-ttl.sql", rsp_schema_ttl, 20003, "rows expire (TTL)"},
	{4, "004-dedup.sql", rsp_schema_dedup, 22003, "repeated batches are dropped on arrival"},
};

#define STEP_CNT (sizeof(steps) / sizeof(steps[0]))

/* Comments are left out. Returns the text after the statement, or NULL at the end. */
static const char *next_statement(const char *sql, char *buf, size_t len)
{
	size_t n = 0;

	while (*sql) {
		size_t line = strcspn(sql, "\n");
		bool is_end = line && sql[line - 1] == ';';

		if (strncmp(sql, "--", 2) != 0 && n + line + 1 < len) {
			memcpy(buf + n, sql, line);
			n += line;
			buf[n++] = '\n';
		}
		sql += line + (sql[line] == '\n');
		if (is_end) {
			buf[n - 2] = '\0'; /* the semicolon */
			return sql;
		}
	}
	return NULL;
}

static int run_all(struct rsp_fleet *fleet, const struct step *step)
{
	char statement[8192], record[512];
	const char *sql = step->sql;
	int r = RSP_EXIT_OK;

	while (!r && (sql = next_statement(sql, statement, sizeof(statement))))
		r = rsp_fleet_run(fleet, statement, true);
	if (r)
		return r;
	snprintf(record, sizeof(record), "INSERT INTO rsp_schema VALUES (%u, '%s', now())",
		 step->version, step->name);
	return rsp_fleet_run(fleet, record, true);
}

/*
 * *ret has one bit for each applied version. Before the first setup, the table rsp_schema does not
 * exist.
 */
static int query_applied(struct rsp_fleet *fleet, unsigned long *ret)
{
	struct rsp_fleet_query q;
	struct rsp_fleet_result res;
	int r;

	*ret = 0;
	if (rsp_fleet_query_begin(&q, fleet)) {
		fputs("SELECT count() FROM system.tables WHERE name = 'rsp_schema' AND database = ",
		      q.out);
		rsp_sql_put_string(q.out, fleet->config.clickhouse.database);
	}
	r = rsp_fleet_query_end(&q, 1, &res);
	if (r)
		return r;
	r = rsp_fleet_number(&res, 0, 0) ? 1 : 0;
	rsp_fleet_result_done(&res);
	if (!r)
		return RSP_EXIT_OK;
	if (rsp_fleet_query_begin(&q, fleet))
		fputs("SELECT DISTINCT version FROM rsp_schema", q.out);
	r = rsp_fleet_query_end(&q, 1, &res);
	if (r)
		return r;
	for (size_t i = 0; i < res.row_cnt; i++)
		if (rsp_fleet_number(&res, (long)i, 0) < 64)
			*ret |= 1UL << rsp_fleet_number(&res, (long)i, 0);
	rsp_fleet_result_done(&res);
	return RSP_EXIT_OK;
}

static int create_database(struct rsp_fleet *fleet)
{
	char statement[512];

	snprintf(statement, sizeof(statement), "CREATE DATABASE IF NOT EXISTS %s",
		 fleet->config.clickhouse.database);
	return rsp_fleet_run(fleet, statement, false);
}

int rsp_fleet_setup(struct rsp_fleet *fleet)
{
	unsigned int server = rsp_fleet_server_version(fleet), done = 0;
	const char *state[STEP_CNT];
	unsigned long applied;
	int r = create_database(fleet);

	if (!r)
		r = query_applied(fleet, &applied);
	for (size_t i = 0; !r && i < STEP_CNT; i++) {
		if (applied & 1UL << steps[i].version) {
			state[i] = "is there";
		} else if (server < steps[i].server) {
			state[i] = "needs a newer ClickHouse";
			continue;
		} else {
			r = run_all(fleet, &steps[i]);
			state[i] = "created";
		}
		done++;
	}
	if (r)
		return r;
	printf("Database %s on %s, ClickHouse %u.%u, has %u of %zu parts of RSP's schema.\n\n",
	       fleet->config.clickhouse.database, fleet->config.clickhouse.url, server / 1000,
	       server % 1000, done, STEP_CNT);
	for (size_t i = 0; i < STEP_CNT; i++)
		printf("  %-14s %-24s %s\n", steps[i].name, state[i], steps[i].ability);
	return rsp_output_flush();
}
