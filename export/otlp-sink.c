/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See otlp-sink.h. In the spool, a batch is a sequence of requests. A request begins with a letter
 * for its kind and its length (4 bytes, little-endian).
 */
#include "export/otlp-sink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "export/otlp-message.h"
#include "export/otlp-spans.h"
#include "lib/base/text.h"

#define PART_HEADER_BYTES 5
#define ID_BYTES_MAX	  64

/* SPANS: not a request, but the ID of a snapshot. Its spans are made when the batch is sent. */
enum part_kind { METRICS = 'm', LOGS = 'l', SPANS = 's' };

struct part {
	char kind;
	const uint8_t *bytes;
	size_t len;
};

/* --- encoding a batch ------------------------------------------------------------------------- */

typedef int put_fn(const struct rsp_batch *batch, struct rsp_buffer *ret);

static int put_part(const struct rsp_batch *batch, enum part_kind kind, put_fn *put,
		    struct rsp_buffer *ret)
{
	static const char header[PART_HEADER_BYTES];
	size_t begin = ret->len, len;
	int r = rsp_buffer_put(ret, header, sizeof(header));

	if (r == 0)
		r = put(batch, ret);
	len = ret->len - begin - sizeof(header);
	if (r < 0 || len > UINT32_MAX)
		return r < 0 ? r : -E2BIG;
	if (len == 0) {
		ret->len = begin;
		return 0;
	}
	ret->v[begin] = (char)kind;
	for (int i = 0; i < 4; i++)
		ret->v[begin + 1 + (size_t)i] = (char)(len >> (8 * i));
	return 0;
}

static int put_spans(const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < batch->snapshot_cnt; i++) {
		const struct rsp_export_snapshot *s = &batch->snapshots[i];
		const char header[PART_HEADER_BYTES] = {SPANS, (char)strlen(s->id)};

		if (!*s->slo || strlen(s->id) > ID_BYTES_MAX)
			continue;
		r = rsp_buffer_put(ret, header, sizeof(header));
		if (r == 0)
			r = rsp_buffer_put_text(ret, s->id);
	}
	return r;
}

static int otlp_encode(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	const struct rsp_otlp_config *c = config;
	int r = 0;

	if (!c->no_metrics)
		r = put_part(batch, METRICS, rsp_otlp_put_metrics, ret);
	if (r == 0 && !c->no_logs)
		r = put_part(batch, LOGS, rsp_otlp_put_logs, ret);
	if (r == 0 && c->spans_program)
		r = put_spans(batch, ret);
	return r;
}

/* Moves *at to the end of the part. Returns 1, 0 at the end of the bytes, or -EBADMSG. */
static int next_part(const uint8_t *bytes, size_t len, size_t *at, struct part *ret)
{
	uint32_t part_len = 0;

	if (*at == len)
		return 0;
	if (len - *at < PART_HEADER_BYTES)
		return -EBADMSG;
	for (int i = 0; i < 4; i++)
		part_len |= (uint32_t)bytes[*at + 1 + (size_t)i] << (8 * i);
	if (part_len > len - *at - PART_HEADER_BYTES)
		return -EBADMSG;
	*ret = (struct part){(char)bytes[*at], bytes + *at + PART_HEADER_BYTES, part_len};
	*at += PART_HEADER_BYTES + part_len;
	return 1;
}

/* --- sending ---------------------------------------------------------------------------------- */

struct request {
	const char *path, *type;
	const char *things; /* name of its content in messages */
	const void *body;
	size_t len;
};

#define PROTOBUF "application/x-protobuf"
#define JSON	 "application/json"

/* A collector may accept a request, but reject some of its data. */
static void note_rejected(const struct rsp_otlp_config *c, const struct request *request,
			  int64_t rejected, const char *message, struct rsp_sink_result *ret)
{
	if (rejected > 0)
		c->progress->rejected += (uint64_t)rejected;
	if (rejected <= 0 && !*message)
		return;
	snprintf(ret->why, sizeof(ret->why), "the collector rejected %lld %s: %.150s",
		 (long long)rejected, request->things, *message ? message : "no reason given");
	rsp_text_clean(ret->why);
}

/* Returns false if the answer is not the expected message. */
static bool read_protobuf(const struct rsp_otlp_config *c, const struct request *request,
			  const struct rsp_buffer *body, struct rsp_sink_result *ret)
{
	Rsp__Otlp__ExportServiceResponse *message = rsp__otlp__export_service_response__unpack(
		NULL, body->len, (const uint8_t *)body->v);

	if (!message)
		return false;
	if (message->partial_success)
		note_rejected(c, request, message->partial_success->rejected,
			      message->partial_success->error_message, ret);
	rsp__otlp__export_service_response__free_unpacked(message, NULL);
	return true;
}

static bool read_json(const struct rsp_otlp_config *c, const struct request *request,
		      const struct rsp_buffer *body, struct rsp_sink_result *ret)
{
	_cleanup_json_ struct json_object *top = NULL;
	struct json_object *partial, *rejected;

	if (rsp_json_parse(body->v, body->len, 8, &top) < 0)
		return false;
	partial = rsp_otlp_member(top, "partialSuccess", json_type_object);
	/* In protobuf's JSON, 64-bit numbers are strings. json-c converts them. */
	if (partial && json_object_object_get_ex(partial, "rejectedSpans", &rejected))
		note_rejected(c, request, json_object_get_int64(rejected),
			      rsp_otlp_member_text(partial, "errorMessage"), ret);
	return true;
}

/*
 * Returns false if the answer is not OTLP: then the URL is that of another kind of server, which
 * has not stored the data.
 */
static bool read_answer(const struct rsp_otlp_config *c, const struct request *request,
			const struct rsp_http_response *answer, struct rsp_sink_result *ret)
{
	char type[40];

	rsp_http_response_header(answer, "Content-Type", type, sizeof(type));
	if (answer->status == 0 || answer->body.len == 0)
		return true;
	if (strncmp(type, request->type, strlen(request->type)) != 0)
		return false;
	return strcmp(request->type, JSON) == 0 ? read_json(c, request, &answer->body, ret)
						: read_protobuf(c, request, &answer->body, ret);
}

static int post(const struct rsp_otlp_config *c, struct rsp_http *http,
		const struct request *request, struct rsp_sink_result *ret)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	struct rsp_http_request req = {
		.method = "POST", .body = request->body, .body_len = request->len};
	size_t len = strlen(c->url);
	char url[600], type[60];
	int r;

	while (len && c->url[len - 1] == '/')
		len--;
	snprintf(url, sizeof(url), "%.*s%s", (int)len, c->url, request->path);
	snprintf(type, sizeof(type), "Content-Type: %s", request->type);
	req.url = url;
	req.headers[0] = type;
	if (c->token && *c->token)
		req.auth = (struct rsp_http_auth){.kind = RSP_HTTP_AUTH_BEARER, .secret = c->token};
	r = rsp_http_request(http, &req, &answer);
	if (r == 0)
		r = rsp_http_class_error(answer.class);
	ret->retry_after_s = answer.retry_after_s;
	if (r < 0) {
		snprintf(ret->why, sizeof(ret->why), "%s", answer.why);
		return r;
	}
	if (!read_answer(c, request, &answer, ret)) {
		snprintf(ret->why, sizeof(ret->why),
			 "%.100s did not answer as a collector does: check the URL", url);
		return -EAGAIN;
	}
	return 0;
}

/* --- spans ------------------------------------------------------------------------------------ */

/*
 * Sends each line of spans as a request. Skips the line with the headline, which was sent with the
 * breach. If the batch is sent again later, all lines are sent again, with the same IDs.
 */
static int post_lines(const struct rsp_otlp_config *c, struct rsp_http *http, FILE *lines,
		      struct rsp_sink_result *ret)
{
	struct request request = {.path = "/v1/traces", .type = JSON, .things = "spans"};
	_cleanup_free_ char *line = malloc(RSP_SPANS_LINE_BYTES);
	int r = line ? 0 : -ENOMEM;

	while (r == 0 && fgets(line, (int)RSP_SPANS_LINE_BYTES, lines)) {
		request.body = line;
		request.len = strlen(line);
		if (strncmp(line, "{\"resourceSpans\"", 16) != 0)
			continue;
		if (line[request.len - 1] != '\n')
			return -EBADMSG;
		r = post(c, http, &request, ret);
	}
	return r;
}

/*
 * If the spans cannot be made, returns 0, because the breach itself was already sent. Returns
 * -ECANCELED if rsp-export must stop.
 */
static int send_spans(const struct rsp_otlp_config *c, struct rsp_http *http,
		      const struct part *part, struct rsp_sink_result *ret)
{
	_cleanup_close_ int snapshot = -1, fd = -1;
	char id[ID_BYTES_MAX + 1];
	FILE *lines;
	int r;

	snprintf(id, sizeof(id), "%.*s", (int)part->len, (const char *)part->bytes);
	snapshot = c->open_snapshot(c->userdata, id);
	if (snapshot == -ENOENT)
		return 0;
	r = snapshot < 0 ? snapshot
			 : rsp_otlp_spans(c->spans_program, snapshot, c->stop, c->userdata, &fd);
	if (r < 0) {
		snprintf(ret->why, sizeof(ret->why), "no spans of snapshot %s: %s", id,
			 r == -EBADMSG ? "it is damaged, or too large" : strerror(-r));
		return r == -ECANCELED ? r : 0;
	}
	lines = fdopen(fd, "r");
	if (!lines)
		return -ENOMEM;
	fd = -1;
	r = post_lines(c, http, lines, ret);
	fclose(lines);
	return r;
}

/* ---------------------------------------------------------------------------------------------- */

static int send_part(const struct rsp_otlp_config *c, struct rsp_http *http,
		     const struct part *part, struct rsp_sink_result *ret)
{
	struct request request = {.type = PROTOBUF, .body = part->bytes, .len = part->len};

	switch (part->kind) {
	case METRICS:
		request.path = "/v1/metrics";
		request.things = "data points";
		return post(c, http, &request, ret);
	case LOGS:
		request.path = "/v1/logs";
		request.things = "log records";
		return post(c, http, &request, ret);
	case SPANS:
		return c->spans_program ? send_spans(c, http, part, ret) : 0;
	default:
		return -EBADMSG;
	}
}

static void send_parts(const struct rsp_otlp_config *c, struct rsp_http *http, const uint8_t *bytes,
		       size_t len, struct rsp_sink_result *ret)
{
	struct rsp_otlp_progress *progress = c->progress;
	struct part part;
	size_t at = 0;
	int r;

	for (unsigned int i = 0; (r = next_part(bytes, len, &at, &part)) > 0; i++) {
		if (i < progress->parts)
			continue;
		r = send_part(c, http, &part, ret);
		if (r < 0 && r != -EBADMSG)
			break;
		progress->never |= r == -EBADMSG;
		progress->parts = i + 1;
	}
	ret->error = r;
	if (r == -EBADMSG)
		snprintf(ret->why, sizeof(ret->why), "the spooled batch is damaged");
	else if (r == 0 && progress->never)
		ret->error = -EBADMSG;
}

static void otlp_send(const void *config, struct rsp_http *http, const char *token,
		      const void *bytes, size_t len, struct rsp_sink_result *ret)
{
	const struct rsp_otlp_config *c = config;

	*ret = (struct rsp_sink_result){0};
	if (strcmp(c->progress->token, token) != 0) {
		snprintf(c->progress->token, sizeof(c->progress->token), "%s", token);
		c->progress->parts = 0;
		c->progress->never = false;
	}
	send_parts(c, http, bytes, len, ret);
	/* The same batch may be sent again, for example in a dry run. */
	if (ret->error == 0 || ret->error == -EBADMSG)
		c->progress->token[0] = '\0';
}

const struct rsp_sink_ops rsp_sink_otlp = {
	.name = "OTLP", .encode = otlp_encode, .send = otlp_send};
