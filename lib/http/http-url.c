/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks URLs, shows them in messages, and writes requests as text. */
#include "lib/http/http-parts.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"

static void cleanup_url(CURLU **url)
{
	curl_url_cleanup(*url);
}

static void cleanup_part(char **part)
{
	curl_free(*part);
}

#define _cleanup_url_  _cleanup_(cleanup_url)
#define _cleanup_part_ _cleanup_(cleanup_part)

/* The caller frees the part with curl_free(). NULL: the URL has no such part. */
static char *part(CURLU *url, CURLUPart what)
{
	char *text = NULL;

	return curl_url_get(url, what, &text, 0) == CURLUE_OK ? text : NULL;
}

static bool is_loopback(const char *host)
{
	return strcasecmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
	       strcmp(host, "[::1]") == 0;
}

static int refuse(char *why, const char *reason)
{
	snprintf(why, RSP_HTTP_WHY_BYTES, "%s", reason);
	return -EINVAL;
}

/* "127.evil.example" may be another machine. */
static bool stays_here(const char *host)
{
	return is_loopback(host) && (host[0] != '1' || strspn(host, "0123456789.") == strlen(host));
}

int rsp_http_check_url(const char *url, const struct rsp_http_auth *auth,
		       char why[static RSP_HTTP_WHY_BYTES])
{
	_cleanup_url_ CURLU *u = curl_url();
	_cleanup_part_ char *scheme = NULL, *host = NULL, *user = NULL, *password = NULL,
			    *fragment = NULL;
	bool sends_secret = auth->kind == RSP_HTTP_AUTH_BASIC || auth->kind == RSP_HTTP_AUTH_BEARER;

	if (!u || strncmp(url, "http", 4) != 0 || curl_url_set(u, CURLUPART_URL, url, 0))
		return refuse(why, "not a URL that begins with https:// or http://");
	scheme = part(u, CURLUPART_SCHEME);
	host = part(u, CURLUPART_HOST);
	user = part(u, CURLUPART_USER);
	password = part(u, CURLUPART_PASSWORD);
	fragment = part(u, CURLUPART_FRAGMENT);
	if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0) || !host)
		return refuse(why, "not a URL that begins with https:// or http://");
	if (user || password)
		return refuse(why, "a URL must not contain a user or a password: logs would show "
				   "it; use the keys and credentials for them");
	if (fragment)
		return refuse(why, "a URL must not contain '#'");
	if (sends_secret && strcmp(scheme, "https") != 0 && !stays_here(host))
		return refuse(why, "http:// would send the secret without encryption to another "
				   "machine: use https://");
	return 0;
}

const char *rsp_http_place(const char *url, char buf[static RSP_HTTP_PLACE_BYTES])
{
	size_t len = strcspn(url, "?#");

	if (len < RSP_HTTP_PLACE_BYTES)
		snprintf(buf, RSP_HTTP_PLACE_BYTES, "%.*s", (int)len, url);
	else
		snprintf(buf, RSP_HTTP_PLACE_BYTES, "%.*s…", RSP_HTTP_PLACE_BYTES - 4, url);
	rsp_text_clean(buf);
	return buf;
}

/* --- a request as text ------------------------------------------------------------------------ */

static void render_auth(const struct rsp_http_auth *auth, FILE *out)
{
	switch (auth->kind) {
	case RSP_HTTP_AUTH_NONE:
		break;
	case RSP_HTTP_AUTH_BASIC:
		fprintf(out, "Authorization: Basic (user %s, the password is not shown)\n",
			auth->user);
		break;
	case RSP_HTTP_AUTH_BEARER:
		fputs("Authorization: Bearer (the token is not shown)\n", out);
		break;
	case RSP_HTTP_AUTH_AWS:
		fprintf(out,
			"Authorization: AWS4-HMAC-SHA256 (key %s, region %s, the signature is not "
			"shown)\n",
			auth->user, auth->region);
		break;
	}
}

static bool is_text(const char *body, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)body[i] < ' ' && body[i] != '\n' && body[i] != '\t')
			return false;
	return true;
}

/* Prints the body like hexdump -C. */
static void render_binary(const unsigned char *body, size_t len, FILE *out)
{
	for (size_t at = 0; at < len; at += 16) {
		size_t cnt = len - at < 16 ? len - at : 16;

		fprintf(out, "%08zx ", at);
		for (size_t i = 0; i < 16; i++)
			if (i < cnt)
				fprintf(out, " %02x", body[at + i]);
			else
				fputs("   ", out);
		fputs("  |", out);
		for (size_t i = 0; i < cnt; i++)
			fputc(isprint(body[at + i]) ? body[at + i] : '.', out);
		fputs("|\n", out);
	}
}

static void render_body(const struct rsp_http_request *req, FILE *out)
{
	if (req->file) {
		fprintf(out, "\n(the content of a file: %llu bytes, SHA-256 %s)\n",
			(unsigned long long)req->file->size,
			*req->file->sha256 ? req->file->sha256 : "unknown");
		return;
	}
	if (!req->body)
		return;
	fputc('\n', out);
	if (!is_text(req->body, req->body_len)) {
		render_binary(req->body, req->body_len, out);
		return;
	}
	fwrite(req->body, 1, req->body_len, out);
	if (req->body_len && ((const char *)req->body)[req->body_len - 1] != '\n')
		fputc('\n', out);
}

void rsp_http_render(const struct rsp_http_request *req, FILE *out)
{
	char hash[65];

	fprintf(out, "%s %s\n", req->method, req->url);
	for (int i = 0; i < RSP_HTTP_HEADERS_MAX && req->headers[i]; i++)
		fprintf(out, "%s\n", req->headers[i]);
	render_auth(&req->auth, out);
	if (req->auth.kind == RSP_HTTP_AUTH_AWS) {
		rsp_http_body_sha256(req, hash);
		fprintf(out, "x-amz-content-sha256: %s\n", hash);
	}
	if (req->file || req->body)
		fprintf(out, "Content-Length: %llu\n",
			(unsigned long long)(req->file ? req->file->size : req->body_len));
	render_body(req, out);
	fputc('\n', out);
}
