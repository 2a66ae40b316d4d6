/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See otlp-sink.h. The spooled bytes are the requests one after the other. Each begins with a
 * letter, which says what it is, and its length in 4 bytes, least significant first.
 */
#include "otlp-sink.h"

#include <errno.h>
#include <string.h>

#include "lib/base/text.h"
#include "otlp-message.h"

#define PART_HEADER_BYTES 5

enum part_kind { METRICS = 'm', LOGS = 'l' };

struct part {
	char kind;
	const uint8_t *bytes;
	size_t len;
};

/* --- a batch -> spooled bytes -------------------------------------------------------------------
 */

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

static int otlp_encode(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	const struct rsp_otlp_config *c = config;
	int r = 0;

	if (!c->no_metrics)
		r = put_part(batch, METRICS, rsp_otlp_put_metrics, ret);
	if (r == 0 && !c->no_logs)
		r = put_part(batch, LOGS, rsp_otlp_put_logs, ret);
	return r;
}

/* Returns whether there is another part; *at is set to its end. -EBADMSG: the bytes are damaged. */
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

/* --- sending ------------------------------------------------------------------------------------
 */

static const char *path_of(char kind)
{
	switch (kind) {
	case METRICS:
		return "/v1/metrics";
	case LOGS:
		return "/v1/logs";
	default:
		return NULL;
	}
}

static const char *things_of(char kind)
{
	return kind == METRICS ? "data points" : "log records";
}

/*
 * Reads the answer to an accepted request. Returns false if it is not OTLP: then the URL leads to
 * another kind of server, and nothing was stored.
 */
static bool read_answer(const struct rsp_otlp_config *c, const struct part *part,
			const struct rsp_http_response *answer, struct rsp_sink_result *ret)
{
	Rsp__Otlp__ExportServiceResponse *message;
	const Rsp__Otlp__ExportPartialSuccess *partial;
	char type[40];

	rsp_http_response_header(answer, "Content-Type", type, sizeof(type));
	if (answer->status == 0 || answer->body.len == 0)
		return true;
	if (strncmp(type, "application/x-protobuf", 22) != 0)
		return false;
	message = rsp__otlp__export_service_response__unpack(NULL, answer->body.len,
							     (uint8_t *)answer->body.v);
	if (!message)
		return false;
	partial = message->partial_success;
	if (partial && partial->rejected > 0)
		c->progress->rejected += (uint64_t)partial->rejected;
	if (partial && (partial->rejected > 0 || *partial->error_message)) {
		snprintf(ret->why, sizeof(ret->why), "the collector rejected %lld %s: %.150s",
			 (long long)partial->rejected, things_of(part->kind),
			 *partial->error_message ? partial->error_message : "no reason given");
		rsp_text_clean(ret->why);
	}
	rsp__otlp__export_service_response__free_unpacked(message, NULL);
	return true;
}

static int post(const struct rsp_otlp_config *c, struct rsp_http *http, const struct part *part,
		struct rsp_sink_result *ret)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	struct rsp_http_request req = {.method = "POST",
				       .headers = {"Content-Type: application/x-protobuf"},
				       .body = part->bytes,
				       .body_len = part->len};
	size_t len = strlen(c->url);
	char url[600];
	int r;

	while (len && c->url[len - 1] == '/')
		len--;
	snprintf(url, sizeof(url), "%.*s%s", (int)len, c->url, path_of(part->kind));
	req.url = url;
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
	if (!read_answer(c, part, &answer, ret)) {
		snprintf(ret->why, sizeof(ret->why),
			 "%.100s did not answer as a collector does: check the URL", url);
		return -EAGAIN;
	}
	return 0;
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
		r = path_of(part.kind) ? post(c, http, &part, ret) : -EBADMSG;
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
	/* The same batch may be sent again: by another run of the program, or as a dry run. */
	if (ret->error == 0 || ret->error == -EBADMSG)
		c->progress->token[0] = '\0';
}

const struct rsp_sink_ops rsp_sink_otlp = {
	.name = "OTLP", .encode = otlp_encode, .send = otlp_send};
