/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See connection.h. */
#include "fleet/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/span.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/fleet/sql.h"
#include "lib/http/http.h"

/* An answer has at most ten thousand rows, but perhaps long texts. */
#define ANSWER_MAX (64U << 20)
/* The server needs time to notice that a query exceeds the timeout, and to send the answer. */
#define GRACE_MS   10000

struct rsp_fleet_connection {
	struct rsp_http *http;
	char url[2 * RSP_FLEET_NAME_MAX];
	char user_header[RSP_FLEET_NAME_MAX + 32], key_header[RSP_FLEET_SECRET_MAX + 32];
	unsigned int version;
	bool may_limit; /* the user may set limits for a query */
};

/* --- errors ----------------------------------------------------------------------------------- */

/* Returns the error number in an answer like "Code: 60, …", or 0 if there is none. */
static unsigned long error_code(const struct rsp_http_response *res)
{
	const char *code = res->body.v ? strstr(res->body.v, "Code: ") : NULL;

	return code ? strtoul(code + 6, NULL, 10) : 0;
}

static int fail_answer(const struct rsp_fleet *fleet, const struct rsp_http_response *res)
{
	const char *url = fleet->config.clickhouse.url, *user = fleet->config.clickhouse.user;
	char text[512];

	switch (error_code(res)) {
	case 60: /* UNKNOWN_TABLE */
	case 81: /* UNKNOWN_DATABASE */
		return rsp_fail(-ENOENT,
				"database %s on %s has no tables of RSP: 'rspctl fleet setup' "
				"creates them",
				fleet->config.clickhouse.database, url);
	case 192: /* UNKNOWN_USER */
	case 193: /* WRONG_PASSWORD */
	case 194: /* REQUIRED_PASSWORD */
	case 516: /* AUTHENTICATION_FAILED */
		return rsp_fail(-EACCES,
				"%s refuses user '%s': check User= and PasswordFile= of fleet.conf",
				url, *user ? user : "default");
	case 164: /* READONLY */
	case 291: /* DATABASE_ACCESS_DENIED */
	case 497: /* ACCESS_DENIED */
		return rsp_fail(-EACCES, "user '%s' may not do that on %s",
				*user ? user : "default", url);
	case 159: /* TIMEOUT_EXCEEDED */
	case 160: /* TOO_SLOW */
		return rsp_fail(-ETIMEDOUT,
				"%s did not answer in time: ask for a shorter span, or a unit; "
				"--timeout=D allows more time",
				url);
	case 241: /* MEMORY_LIMIT_EXCEEDED */
		return rsp_fail(
			-ENOMEM,
			"this query needs more memory than %s allows: ask for a shorter span, "
			"or a unit",
			url);
	case 0:
		return rsp_fail(-EIO, "cannot ask %s: %s", url, res->why);
	}
	snprintf(text, sizeof(text), "%s", res->body.v);
	text[strcspn(text, "\n")] = '\0';
	rsp_text_clean(text);
	return rsp_fail(-EIO, "%s cannot answer: %s", url, text);
}

/* --- requests --------------------------------------------------------------------------------- */

static int send_text(const struct rsp_fleet *fleet, const char *text, size_t len, bool database,
		     struct rsp_http_response *res)
{
	const struct rsp_fleet_connection *c = fleet->connection;
	char url[3 * RSP_FLEET_NAME_MAX];
	struct rsp_http_request req = {
		.method = "POST",
		.url = url,
		.headers = {c->user_header[0] ? c->user_header : NULL,
			    c->key_header[0] ? c->key_header : NULL},
		.body = text,
		.body_len = len,
		.answer_max = ANSWER_MAX,
	};
	int n, r;

	/* Without wait_end_of_query, the server may send a part of the rows, and then an error. */
	n = snprintf(url, sizeof(url), "%s/?wait_end_of_query=1", c->url);
	if (database)
		n += snprintf(url + n, sizeof(url) - (size_t)n, "&database=%s",
			      fleet->config.clickhouse.database);
	if (c->may_limit)
		snprintf(url + n, sizeof(url) - (size_t)n, "&max_execution_time=%llu",
			 (unsigned long long)(fleet->opt.timeout_ns / 1000000000));
	r = rsp_http_request(c->http, &req, res);
	if (r < 0)
		return rsp_fail(r, "cannot ask %s: %s", fleet->config.clickhouse.url, res->why);
	return res->class == RSP_HTTP_OK ? RSP_EXIT_OK : fail_answer(fleet, res);
}

static int ask(struct rsp_fleet *fleet, const char *text, size_t len, bool database,
	       size_t column_cnt, struct rsp_fleet_result *ret)
{
	_cleanup_response_ struct rsp_http_response res = {0};
	int r = send_text(fleet, text, len, database, &res);

	if (r)
		return r;
	r = rsp_fleet_result_parse(res.body.v ? res.body.v : "", res.body.len, column_cnt, ret);
	if (r == -EBADMSG)
		return rsp_fail(r, "%s does not answer as ClickHouse does",
				fleet->config.clickhouse.url);
	return r < 0 ? rsp_fail(r, "cannot read the answer of %s: %m", fleet->config.clickhouse.url)
		     : RSP_EXIT_OK;
}

bool rsp_fleet_query_begin(struct rsp_fleet_query *q, struct rsp_fleet *fleet)
{
	*q = (struct rsp_fleet_query){.fleet = fleet};
	q->out = open_memstream(&q->text, &q->len);
	return q->out != NULL;
}

int rsp_fleet_query_end(struct rsp_fleet_query *q, size_t column_cnt, struct rsp_fleet_result *ret)
{
	bool failed = !q->out;
	int r;

	if (q->out) {
		fputs(" FORMAT JSONCompact", q->out);
		failed = ferror(q->out) | (fclose(q->out) != 0);
	}
	if (!failed && q->fleet->opt.shows_sql)
		fprintf(stderr, "%s;\n", q->text);
	r = failed ? rsp_fail(-ENOMEM, "cannot make a query: %m")
		   : ask(q->fleet, q->text, q->len, true, column_cnt, ret);
	free(q->text);
	*q = (struct rsp_fleet_query){0};
	return r;
}

int rsp_fleet_run(struct rsp_fleet *fleet, const char *statement, bool database)
{
	_cleanup_response_ struct rsp_http_response res = {0};

	return send_text(fleet, statement, strlen(statement), database, &res);
}

/* --- connecting ------------------------------------------------------------------------------- */

static int choose(struct rsp_fleet *fleet)
{
	const struct rsp_fleet_options *opt = &fleet->opt;
	struct rsp_fleet_config *config = &fleet->config;
	size_t len;

	if (opt->clickhouse)
		snprintf(config->clickhouse.url, sizeof(config->clickhouse.url), "%s",
			 opt->clickhouse);
	if (opt->database)
		snprintf(config->clickhouse.database, sizeof(config->clickhouse.database), "%s",
			 opt->database);
	if (opt->user)
		snprintf(config->clickhouse.user, sizeof(config->clickhouse.user), "%s", opt->user);
	len = strlen(config->clickhouse.url);
	while (len && config->clickhouse.url[len - 1] == '/')
		config->clickhouse.url[--len] = '\0';
	if (!len)
		return rsp_fail(-ENOENT,
				"no ClickHouse is configured: give --clickhouse=URL, or URL= in "
				"section [ClickHouse] of ~/.config/rsp/fleet.conf or "
				"/etc/rsp/fleet.conf");
	if (strpbrk(config->clickhouse.url, "?#"))
		return rsp_fail(-EINVAL, "the URL of ClickHouse must not have parameters");
	if (!rsp_sql_is_name(config->clickhouse.database))
		return rsp_fail(-EINVAL,
				"'%s' is not the name of a database (letters, digits and '_')",
				config->clickhouse.database);
	return RSP_EXIT_OK;
}

/* Servers log URLs, so user and password are in headers. */
static int take_secrets(struct rsp_fleet *fleet)
{
	char why[RSP_HTTP_WHY_BYTES], secret[RSP_FLEET_SECRET_MAX];
	struct rsp_fleet_connection *c = fleet->connection;
	struct rsp_http_auth auth = {.kind = RSP_HTTP_AUTH_BEARER, .secret = secret};
	int r = rsp_fleet_secret_read(fleet->config.clickhouse.password_file, secret);

	if (r)
		return r;
	if (rsp_http_check_url(c->url, *secret ? &auth : &(struct rsp_http_auth){0}, why) < 0)
		return rsp_fail(-EINVAL, "%s", why);
	if (*fleet->config.clickhouse.user)
		snprintf(c->user_header, sizeof(c->user_header), "X-ClickHouse-User: %s",
			 fleet->config.clickhouse.user);
	if (*secret)
		snprintf(c->key_header, sizeof(c->key_header), "X-ClickHouse-Key: %s", secret);
	explicit_bzero(secret, sizeof(secret));
	return RSP_EXIT_OK;
}

static unsigned int parse_version(const char *text)
{
	unsigned int major = 0, minor = 0;

	return sscanf(text, "%u.%u", &major, &minor) == 2 && minor < 1000 ? major * 1000 + minor
									  : 0;
}

static int query_version(struct rsp_fleet *fleet)
{
	static const char query[] = "SELECT version(), (SELECT value FROM system.settings WHERE "
				    "name = 'readonly') FORMAT JSONCompact";
	struct rsp_fleet_result res;
	int r = ask(fleet, query, strlen(query), false, 2, &res);

	if (r)
		return r;
	fleet->connection->version = parse_version(rsp_fleet_text(&res, 0, 0));
	/* If the server's setting readonly is 1, the user may not change any setting. */
	fleet->connection->may_limit = strcmp(rsp_fleet_text(&res, 0, 1), "1") != 0;
	rsp_fleet_result_done(&res);
	return RSP_EXIT_OK;
}

int rsp_fleet_connect(struct rsp_fleet *fleet, bool with_tables)
{
	struct rsp_fleet_connection *c = calloc(1, sizeof(*c));
	struct rsp_http_config http = {
		.ca_file = *fleet->config.clickhouse.ca_file ? fleet->config.clickhouse.ca_file
							     : NULL,
		.total_ms = (unsigned int)(fleet->opt.timeout_ns / 1000000) + GRACE_MS,
	};
	int r;

	if (!c)
		return rsp_fail(-ENOMEM, "cannot connect: %m");
	fleet->connection = c;
	r = choose(fleet);
	if (r)
		return r;
	snprintf(c->url, sizeof(c->url), "%s", fleet->config.clickhouse.url);
	r = take_secrets(fleet);
	if (r)
		return r;
	r = rsp_http_new(&http, &c->http);
	if (r < 0)
		return rsp_fail(r, "cannot connect to %s: %m", c->url);
	r = query_version(fleet);
	if (!r && with_tables)
		r = rsp_fleet_run(fleet, "SELECT max(version) FROM rsp_schema", true);
	return r;
}

void rsp_fleet_disconnect(struct rsp_fleet *fleet)
{
	if (!fleet->connection)
		return;
	rsp_http_free(fleet->connection->http);
	explicit_bzero(fleet->connection, sizeof(*fleet->connection));
	free(fleet->connection);
	fleet->connection = NULL;
}

unsigned int rsp_fleet_server_version(const struct rsp_fleet *fleet)
{
	return fleet->connection->version;
}

/* --- filters ---------------------------------------------------------------------------------- */

int rsp_fleet_filter_span(struct rsp_fleet *fleet, const struct rsp_fleet_span *span,
			  struct rsp_fleet_filter *ret)
{
	struct rsp_fleet_query q;
	struct rsp_fleet_result res;
	int r;

	*ret = (struct rsp_fleet_filter){
		.span = *span,
		.units = &fleet->opt.unit,
		.unit_cnt = fleet->opt.unit ? 1 : 0,
		.host = fleet->opt.host,
	};
	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_repeated_query(q.out, span);
	r = rsp_fleet_query_end(&q, 2, &res);
	if (r)
		return r;
	for (size_t i = 0; i < res.row_cnt; i++) {
		enum rsp_fleet_table t;

		if (rsp_fleet_find_table(rsp_fleet_text(&res, (long)i, 0), &t))
			ret->repeated[t] = rsp_fleet_number(&res, (long)i, 1) > 0;
	}
	rsp_fleet_result_done(&res);
	return RSP_EXIT_OK;
}

int rsp_fleet_filter(struct rsp_fleet *fleet, struct rsp_fleet_filter *ret)
{
	struct rsp_fleet_span span;
	int r = rsp_fleet_span_of(&fleet->opt, &span);

	return r ? r : rsp_fleet_filter_span(fleet, &span, ret);
}
