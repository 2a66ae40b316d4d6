/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classifies the result of a request, and describes it in a sentence. Text from the server is
 * cleaned and cut.
 */
#include "lib/http/http-parts.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/text.h"

#define RETRY_AFTER_S_MAX 86400
#define EXCERPT_BYTES	  100

int rsp_http_class_error(enum rsp_http_class class)
{
	switch (class) {
	case RSP_HTTP_OK:
		return 0;
	case RSP_HTTP_REFUSED:
	case RSP_HTTP_ABSENT:
		return -EACCES;
	case RSP_HTTP_NEVER:
		return -EBADMSG;
	case RSP_HTTP_UNREACHABLE:
	case RSP_HTTP_TIMEOUT:
	case RSP_HTTP_UNTRUSTED:
	case RSP_HTTP_BUSY:
	case RSP_HTTP_NONSENSE:
		return -EAGAIN;
	}
	return -EAGAIN;
}

const char *rsp_http_response_header(const struct rsp_http_response *r, const char *name, char *buf,
				     size_t size)
{
	const char *line = r->headers.v ? r->headers.v : "";
	size_t len = strlen(name);

	buf[0] = '\0';
	for (; line; line = strchr(line, '\n'), line += line != NULL) {
		if (strncasecmp(line, name, len) != 0 || line[len] != ':')
			continue;
		line += len + 1;
		line += strspn(line, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(line, "\r\n"), line);
		rsp_text_clean(buf);
		break;
	}
	return buf;
}

/* --- sentences -------------------------------------------------------------------------------- */

/*
 * Writes the beginning of the server's text to buf, in quotes and after a comma. The text of an XML
 * answer is its element Message.
 */
static const char *excerpt(const struct rsp_http_response *r, char buf[static EXCERPT_BYTES + 8])
{
	const char *body = r->body.v ? r->body.v : "";
	const char *message = strstr(body, "<Message>");
	char text[EXCERPT_BYTES];
	size_t len;

	if (message)
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(message + 9, "<"), message + 9);
	else
		snprintf(text, sizeof(text), "%s", body);
	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\r' || *c == '\t')
			*c = ' ';
	for (len = strlen(text); len && text[len - 1] == ' '; len--)
		text[len - 1] = '\0';
	rsp_text_clean(text);
	buf[0] = '\0';
	if (len)
		snprintf(buf, EXCERPT_BYTES + 8, ", \"%s\"", text);
	return buf;
}

__attribute__((format(printf, 3, 4))) static int
answer(struct rsp_http_transfer *t, enum rsp_http_class class, const char *format, ...)
{
	va_list args;

	t->ret->class = class;
	va_start(args, format);
	vsnprintf(t->ret->why, sizeof(t->ret->why), format, args);
	va_end(args);
	rsp_text_clean(t->ret->why);
	return 0;
}

static int fail(struct rsp_http_transfer *t, int error, const char *why)
{
	snprintf(t->ret->why, sizeof(t->ret->why), "%s", why);
	return error;
}

static int judge_status(struct rsp_http_transfer *t, const char *place)
{
	char text[EXCERPT_BYTES + 8], to[80];
	unsigned int status = t->ret->status;

	excerpt(t->ret, text);
	if (status / 100 == 2)
		return 0;
	if (status == 401 || status == 403)
		return answer(t, RSP_HTTP_REFUSED,
			      "%s refused the credentials (status %u%s): check user and secret",
			      place, status, text);
	if (status == 404 || status == 405)
		return answer(
			t, RSP_HTTP_ABSENT,
			"%s does not exist (status %u%s): check the URL, and that the server is set up",
			place, status, text);
	if (status == 408 || status == 429 || status / 100 == 5)
		return answer(
			t, RSP_HTTP_BUSY,
			"%s cannot take it now (status %u%s): check the server's load and log",
			place, status, text);
	if (status / 100 == 4)
		return answer(t, RSP_HTTP_NEVER,
			      "%s will never take this (status %u%s): check the server's log",
			      place, status, text);
	rsp_http_response_header(t->ret, "Location", to, sizeof(to));
	if (status / 100 == 3)
		return answer(
			t, RSP_HTTP_NONSENSE,
			"%s redirects (status %u) to '%s', which is not followed: set the final URL",
			place, status, to);
	return answer(t, RSP_HTTP_NONSENSE,
		      "%s answered with the unexpected status %u: check the URL", place, status);
}

static int judge_timeout(struct rsp_http_transfer *t, const char *place)
{
	curl_off_t connected_us = 0;

	/* The time includes the TLS handshake. 0: there was no connection. */
	curl_easy_getinfo(t->curl, CURLINFO_PRETRANSFER_TIME_T, &connected_us);
	if (connected_us == 0)
		return answer(t, RSP_HTTP_TIMEOUT,
			      "no connection to %s in time: check URL, firewall and server", place);
	if (t->ret->status)
		return answer(t, RSP_HTTP_TIMEOUT,
			      "the answer of %s was incomplete when the time was over: check the "
			      "server's load and the network",
			      place);
	return answer(
		t, RSP_HTTP_TIMEOUT,
		"%s accepted the connection, but did not answer in time: check the server's load",
		place);
}

static int judge_invalid(struct rsp_http_transfer *t, const char *place)
{
	if (t->too_large)
		return answer(
			t, RSP_HTTP_NONSENSE,
			"%s answered with more bytes than allowed: check that the URL is that "
			"of the right server",
			place);
	return answer(t, RSP_HTTP_NONSENSE,
		      "%s did not answer in HTTP (%s): check port and scheme of the URL", place,
		      t->curl_why);
}

/* Without an answer, the server may or may not have handled the request. */
static int judge_broken(struct rsp_http_transfer *t, const char *place)
{
	if (t->ret->status)
		return answer(
			t, RSP_HTTP_NONSENSE,
			"the answer of %s ended too early (%s): check proxies and the server's log",
			place, t->curl_why);
	return answer(t, RSP_HTTP_UNREACHABLE,
		      "%s closed the connection without an answer (%s): check the server's log",
		      place, t->curl_why);
}

static int judge_untrusted(struct rsp_http_transfer *t, CURLcode code, const char *place)
{
	const char *ca = t->config->ca_file ? t->config->ca_file : "of the system";

	if (code == CURLE_SSL_CACERT_BADFILE)
		return answer(t, RSP_HTTP_UNTRUSTED,
			      "the CA file '%s' cannot be used (%s): check its path and rights", ca,
			      access(ca, R_OK) < 0 ? strerror(errno) : "it has no certificate");
	if (code == CURLE_PEER_FAILED_VERIFICATION)
		return answer(
			t, RSP_HTTP_UNTRUSTED,
			"the certificate of %s is not trusted (%s): check the host name in the "
			"URL, and the CA file",
			place, t->curl_why);
	return answer(t, RSP_HTTP_UNTRUSTED,
		      "no TLS with %s (%s): check scheme and port of the URL", place, t->curl_why);
}

static int judge_failure(struct rsp_http_transfer *t, CURLcode code, const char *place)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return answer(t, RSP_HTTP_UNREACHABLE,
			      "no address for the host of %s: check URL and DNS", place);
	case CURLE_COULDNT_CONNECT:
		return answer(t, RSP_HTTP_UNREACHABLE,
			      "no connection to %s (%s): check that the server runs, and the URL",
			      place, t->curl_why);
	case CURLE_OPERATION_TIMEDOUT:
		return judge_timeout(t, place);
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
		return judge_untrusted(t, code, place);
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_PARTIAL_FILE:
		return judge_broken(t, place);
	case CURLE_OUT_OF_MEMORY:
		return fail(t, -ENOMEM, "out of memory");
	case CURLE_URL_MALFORMAT:
		return fail(t, -EINVAL, "not a URL");
	default:
		return judge_invalid(t, place);
	}
}

int rsp_http_judge(struct rsp_http_transfer *t, CURLcode code)
{
	char place[RSP_HTTP_PLACE_BYTES];
	curl_off_t retry_after_s = 0;
	long status = 0;

	rsp_http_place(t->req->url, place);
	if (t->stopped)
		return fail(t, -ECANCELED, "stopped");
	if (t->error) {
		snprintf(t->ret->why, sizeof(t->ret->why), "the file: %s", strerror(-t->error));
		return t->error;
	}
	curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
	t->ret->status = status < 0 || status > 999 ? 0 : (unsigned int)status;
	if (code != CURLE_OK)
		return judge_failure(t, code, place);
	if (!t->has_head) /* curl does not report an error if the headers are incomplete */
		return answer(
			t, RSP_HTTP_NONSENSE,
			"the answer of %s ended too early (within its headers): check proxies "
			"and the server's log",
			place);
	curl_easy_getinfo(t->curl, CURLINFO_RETRY_AFTER, &retry_after_s);
	if (retry_after_s > 0)
		t->ret->retry_after_s = retry_after_s > RETRY_AFTER_S_MAX
						? RETRY_AFTER_S_MAX
						: (unsigned int)retry_after_s;
	return judge_status(t, place);
}
