/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See clickhouse.h. */
#include "export/clickhouse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/http/http.h"

#define URL_BYTES   2048
#define QUERY_BYTES 1024
#define ID_BYTES    192

/* --- spooled bytes ---------------------------------------------------------------------------- */

int rsp_clickhouse_put(struct rsp_buffer *buffer, const struct rsp_clickhouse_insert *insert)
{
	char head[160];
	int r;

	snprintf(head, sizeof(head), "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n", insert->table,
		 insert->row_cnt, insert->first_s, insert->last_s, insert->len);
	r = rsp_buffer_put_text(buffer, head);
	return r < 0 ? r : rsp_buffer_put(buffer, insert->bytes, insert->len);
}

int rsp_clickhouse_next(const char **bytes, size_t *len, struct rsp_clickhouse_insert *ret)
{
	const char *end = memchr(*bytes, '\n', *len);
	char head[160];
	size_t n;

	if (*len == 0)
		return 0;
	n = end ? (size_t)(end - *bytes) : sizeof(head);
	if (n >= sizeof(head))
		return -EBADMSG;
	memcpy(head, *bytes, n);
	head[n] = '\0';
	if (sscanf(head, "%31[a-z_] %" SCNu64 " %" SCNu64 " %" SCNu64 " %zu", ret->table,
		   &ret->row_cnt, &ret->first_s, &ret->last_s, &ret->len) != 5 ||
	    ret->len > *len - n - 1)
		return -EBADMSG;
	ret->bytes = end + 1;
	*bytes = end + 1 + ret->len;
	*len -= n + 1 + ret->len;
	return 1;
}

/* --- requests --------------------------------------------------------------------------------- */

struct sending {
	const struct rsp_clickhouse_config *config;
	struct rsp_http *http;
	const char *token;
	struct rsp_sink_result *ret;
};

static void put_escaped(char *url, size_t size, const char *text)
{
	size_t at = strlen(url);

	for (; *text && at + 4 < size; text++) {
		if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
		    (*text >= '0' && *text <= '9') || strchr("-_.", *text))
			url[at++] = *text;
		else
			at += (size_t)sprintf(url + at, "%%%02X", (unsigned char)*text);
	}
	url[at] = '\0';
}

static void set_result(struct rsp_sink_result *ret, const struct rsp_http_response *response,
		       int error)
{
	ret->error = error ?: rsp_http_class_error(response->class);
	ret->retry_after_s = response->retry_after_s;
	snprintf(ret->why, sizeof(ret->why), "%s", response->why);
}

/*
 * Servers log URLs, so user and password are in a header. All versions of ClickHouse accept HTTP's
 * header Authorization.
 */
static void set_auth(const struct rsp_clickhouse_config *c, struct rsp_http_request *req)
{
	if (!*c->user)
		return;
	req->auth.kind = RSP_HTTP_AUTH_BASIC;
	req->auth.user = c->user;
	req->auth.secret = c->password;
}

static void make_url(const struct sending *s, const char *settings, const char *query_id,
		     const char *query, char url[static URL_BYTES])
{
	snprintf(url, URL_BYTES, "%s/?database=%s&%squery_id=", s->config->url, s->config->database,
		 settings);
	put_escaped(url, URL_BYTES, query_id);
	strncat(url, "&query=", URL_BYTES - strlen(url) - 1);
	put_escaped(url, URL_BYTES, query);
}

/* --- are the rows in the table? --------------------------------------------------------------- */

static void put_day(char *buf, size_t size, uint64_t at_s)
{
	time_t t = (time_t)at_s;
	struct tm tm = {0};

	gmtime_r(&t, &tm);
	strftime(buf, size, "%Y-%m-%d", &tm);
}

/*
 * The condition is true for the rows of an INSERT. The texts from the token are safe in SQL,
 * because the spool has checked that the token contains only letters, digits and '-'.
 */
static void put_condition(const struct sending *s, const struct rsp_clickhouse_insert *insert,
			  char *buf, size_t size)
{
	char machine[64], boot[64], day[16];
	uint64_t first, last;

	put_day(day, sizeof(day), insert->first_s);
	if (sscanf(s->token, "%63[0-9a-f]-snapshot-%63[0-9a-f]", machine, boot) == 2)
		snprintf(buf, size, "machine = '%s' AND id = '%s'", machine, boot);
	else if (sscanf(s->token, "%63[0-9a-f]-%63[0-9a-f]-%" SCNu64 "-%" SCNu64, machine, boot,
			&first, &last) == 4)
		snprintf(buf, size,
			 "date = '%s' AND at >= toDateTime(%" PRIu64 ") AND at <= "
			 "toDateTime(%" PRIu64 ") AND machine = '%s' AND boot = '%s' AND number "
			 ">= %" PRIu64 " AND number <= %" PRIu64,
			 day, insert->first_s, insert->last_s, machine, boot, first, last);
	else
		snprintf(buf, size, "0");
}

/*
 * Returns 1 if the rows of an INSERT are in the table, or 0 if they are not. If the INSERT is still
 * running, returns -EAGAIN and sets s->ret; on failure, returns -errno and sets s->ret. The server
 * evaluates the scalar subquery, which looks for the running INSERT, before it counts the rows.
 * Therefore, if the INSERT has ended, the count includes its rows.
 */
static int find_rows(const struct sending *s, const struct rsp_clickhouse_insert *insert,
		     const char *query_id)
{
	_cleanup_response_ struct rsp_http_response response = {0};
	char condition[512], query[QUERY_BYTES], url[URL_BYTES], check_id[ID_BYTES + 8];
	struct rsp_http_request req = {.method = "GET", .url = url};
	uint64_t running, found;
	int r;

	put_condition(s, insert, condition, sizeof(condition));
	snprintf(query, sizeof(query),
		 "SELECT (SELECT count() FROM system.processes WHERE query_id = '%s'), count() "
		 "FROM %s WHERE %s FORMAT TSV",
		 query_id, insert->table, condition);
	snprintf(check_id, sizeof(check_id), "%s-check", query_id);
	make_url(s, "", check_id, query, url);
	set_auth(s->config, &req);
	r = rsp_http_request(s->http, &req, &response);
	if (r < 0 || response.class != RSP_HTTP_OK) {
		set_result(s->ret, &response, r);
		/*
		 * After -EBADMSG, the sender would drop the batch, but a failed query must not drop
		 * rows.
		 */
		if (s->ret->error == -EBADMSG)
			s->ret->error = -EAGAIN;
		return s->ret->error;
	}
	if (response.status == 0) /* a dry run */
		return 0;
	if (!response.body.v ||
	    sscanf(response.body.v, "%" SCNu64 "\t%" SCNu64, &running, &found) != 2) {
		s->ret->error = -EAGAIN;
		snprintf(s->ret->why, sizeof(s->ret->why),
			 "the answer to a query was not that of ClickHouse");
		return -EAGAIN;
	}
	if (running > 0) {
		s->ret->error = -EAGAIN;
		snprintf(s->ret->why, sizeof(s->ret->why), "an earlier INSERT is still running");
		return -EAGAIN;
	}
	return found >= insert->row_cnt;
}

/* --- sending ---------------------------------------------------------------------------------- */

static void send_rows(const struct sending *s, const struct rsp_clickhouse_insert *insert,
		      const char *query_id)
{
	_cleanup_response_ struct rsp_http_response response = {0};
	_cleanup_buffer_ struct rsp_buffer plain = {0};
	char query[QUERY_BYTES], url[URL_BYTES];
	struct rsp_http_request req = {
		.method = "POST",
		.url = url,
		.headers = {"Content-Type: application/x-ndjson", "Content-Encoding: gzip"},
		.body = insert->bytes,
		.body_len = insert->len,
	};
	int r = 0;

	if (s->config->is_readable) {
		r = rsp_gunzip(insert->bytes, insert->len, &plain);
		req.headers[1] = NULL;
		req.body = plain.v;
		req.body_len = plain.len;
	}
	snprintf(query, sizeof(query), "INSERT INTO %s FORMAT JSONEachRow", insert->table);
	/*
	 * The schema may be from a newer or older rspctl, so a column may be missing in the table.
	 */
	make_url(s, "input_format_skip_unknown_fields=1&", query_id, query, url);
	set_auth(s->config, &req);
	if (r == 0)
		r = rsp_http_request(s->http, &req, &response);
	set_result(s->ret, &response, r);
}

/*
 * The texts of chains may be inserted twice, because their rows do not contain the identity of the
 * batch.
 */
static bool may_repeat(const struct rsp_clickhouse_insert *insert)
{
	return strcmp(insert->table, "rsp_chain_text") == 0;
}

static void send_insert(const struct sending *s, const struct rsp_clickhouse_insert *insert,
			unsigned int index)
{
	char query_id[ID_BYTES];

	snprintf(query_id, sizeof(query_id), "%s-%u", s->token, index);
	s->ret->error = 0;
	if (!s->config->state->is_certain && !may_repeat(insert) &&
	    find_rows(s, insert, query_id) != 0)
		return; /* the table has the rows, or the query failed */
	send_rows(s, insert, query_id);
}

/*
 * If the server rejects an INSERT, the remaining INSERTs are still sent. Any other error ends the
 * attempt.
 */
static void send_batch(const void *config, struct rsp_http *http, const char *token,
		       const void *bytes, size_t len, struct rsp_sink_result *ret)
{
	const struct rsp_clickhouse_config *c = config;
	struct rsp_sink_result rejected = {0}, result = {0};
	struct sending s = {c, http, token, &result};
	struct rsp_clickhouse_insert insert;
	const char *next = bytes;
	unsigned int index = 0;
	int r;

	while ((r = rsp_clickhouse_next(&next, &len, &insert)) > 0) {
		send_insert(&s, &insert, index++);
		if (result.error == -EBADMSG)
			rejected = result;
		else if (result.error < 0)
			break;
	}
	if (r < 0) {
		rejected.error = -EBADMSG;
		snprintf(rejected.why, sizeof(rejected.why), "the spooled file is damaged");
	}
	if (result.error == 0 || result.error == -EBADMSG)
		result = rejected;
	c->state->is_certain = result.error == 0 || result.error == -EBADMSG;
	*ret = result;
}

static void dropped(const void *config)
{
	const struct rsp_clickhouse_config *c = config;

	/* the dropped batch may have contained texts */
	c->state->date = 0;
}

const struct rsp_sink_ops rsp_sink_clickhouse = {
	.name = "clickhouse",
	.encode = rsp_clickhouse_encode,
	.send = send_batch,
	.dropped = dropped,
};
